/** Finds in a formula of a workbook what asks a server, which can give another value after everybody has signed. */

/** Functions whose value comes from a service. */
const served: ReadonlySet<string> = new Set(
  (
    'IMAGE WEBSERVICE RTD STOCKHISTORY IMPORTTEXT IMPORTCSV TRANSLATE DETECTLANGUAGE COPILOT PY ' +
    'CUBEVALUE CUBEMEMBER CUBEMEMBERPROPERTY CUBERANKEDMEMBER CUBESET CUBESETCOUNT CUBEKPIMEMBER'
  ).split(' '),
)

/** Before functions that are newer than the format (`_xlfn.`, `_xlws.`), and before one that is given to another as a value (`_xleta.`). */
const prefixes = /^(?:_XL[A-Z]*\.)+/

/** Texts and names of sheets in quotes, the beginning of names of columns, words. A doubled quotation mark ends one text and begins another. */
const tokens = /"[^"]*"?|'[^']*'?|\[|[\p{L}\p{N}\p{M}_.\\?]+/gu
const bracket = /\s*\(/y

export function faultOfFormula(formula: string): 'external' | null {
  tokens.lastIndex = 0
  for (let found = tokens.exec(formula); found !== null; found = tokens.exec(formula)) {
    const [token] = found
    if (token === '[') tokens.lastIndex = endOfColumns(formula, found.index)
    else if (asksServer(token.toUpperCase(), formula, tokens.lastIndex)) return 'external'
  }
  return null
}

/** Without a prefix and a bracket it is a name that somebody gave, as to a sheet. */
function asksServer(word: string, formula: string, end: number): boolean {
  const name = word.replace(prefixes, '')
  if (!served.has(name)) return false
  bracket.lastIndex = end
  return name !== word || bracket.test(formula)
}

/** Behind the bracket that closes the one at `start`; an apostrophe stands before each bracket that belongs to a name. */
function endOfColumns(formula: string, start: number): number {
  let depth = 0
  for (let at = start; at < formula.length; at++) {
    const one = formula[at]
    if (one === "'") at++
    else if (one === '[') depth++
    else if (one === ']' && --depth === 0) return at + 1
  }
  return formula.length
}
