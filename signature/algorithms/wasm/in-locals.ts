/**
 * Rewrites a point formula so that intermediate values stay in locals, which the engine keeps in registers: each
 * temporary becomes one local per limb, and each product is inlined. Worth its size only where nearly all time is
 * spent: in the doubling.
 */
export type ProductName = 'mul' | 'mulAdd' | 'sqr' | 'sqrAdd'

export type WriteProduct = (
  name: ProductName,
  place: {
    /** How a limb of an operand is read. */
    load: (operand: 'a' | 'b' | 'addend', limb: number) => string
    /** The statement that stores a limb of the result. */
    store: (limb: number, value: string) => string
  },
) => string

const temporaries = ['LEFT', 'RIGHT', 'ADDEND', 'KEPT', 'P1', 'P2', 'P3', 'P4']

/** The text's loops over limbs must be unrolled, each iteration a block that begins with the index of its limb. */
export function inLocals(text: string, functionName: string, limbs: number, write: WriteProduct): string {
  const start = text.indexOf('\n', text.indexOf(`function ${functionName}(`)) + 1
  const end = text.indexOf('\n}\n', start)
  const body = text.slice(start, end)
  const locals = temporaries.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  const declared = locals.map((name) => {
    const limbsOf = Array.from({ length: limbs }, (_, i) => `${name}_${i}: v128 = i64x2.splat(0)`)
    return `  let ${limbsOf.join(', ')};`
  })
  const rewritten = productsWritten(limbsNamed(body, locals), locals, write)
  return [text.slice(0, start), ...declared, rewritten, text.slice(end)].join('\n')
}

function limbsNamed(body: string, locals: readonly string[]): string {
  const names = locals.join('|')
  const loads = new RegExp(`v128\\.load\\((${names}) \\+ i\\)`, 'g')
  const stores = new RegExp(`v128\\.store\\((${names}) \\+ i, (.*)\\);`, 'g')
  return body.replaceAll(/^ {4}const i: usize = (\d+);\n([^]*?)\n {2}\}$/gm, (block: string, at: string) => {
    const limb = Number(at) / 16
    return block.replaceAll(loads, `$1_${limb}`).replaceAll(stores, `$1_${limb} = $2;`)
  })
}

function productsWritten(body: string, locals: readonly string[], write: WriteProduct): string {
  return body.replaceAll(/^ {2}(mul|sqr|mulAdd|sqrAdd)\((.*?)\);/gm, (_, name: ProductName, list: string) => {
    const [to = '', a = '', ...rest] = list.split(', ')
    const addend = name.endsWith('Add') ? rest.pop() : undefined
    const operands = { a, b: rest[0] ?? '', addend: addend ?? '' }
    const product = write(name, {
      load: (operand, i) =>
        locals.includes(operands[operand])
          ? `${operands[operand]}_${i}`
          : `v128.load(${operands[operand]}, ${16 * i})`,
      store: (i, value) =>
        locals.includes(to) ? `${to}_${i} = ${value};` : `v128.store(${to}, ${value}, ${16 * i});`,
    })
    return `  {\n${product}\n  }`
  })
}
