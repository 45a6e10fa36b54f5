/**
 * Finds functions in a formula of a workbook that ask a server, which can give another value after everybody has
 * signed.
 */

/** Functions whose value comes from a service. */
const served: ReadonlySet<string> = new Set(
  (
    'IMAGE WEBSERVICE RTD STOCKHISTORY IMPORTTEXT IMPORTCSV TRANSLATE DETECTLANGUAGE COPILOT PY ' +
    'CUBEVALUE CUBEMEMBER CUBEMEMBERPROPERTY CUBERANKEDMEMBER CUBESET CUBESETCOUNT CUBEKPIMEMBER'
  ).split(' '),
)

/**
 * Prefixes of functions that are newer than the format (`_xlfn.`, `_xlws.`), and of a function that is passed to
 * another as a value (`_xleta.`).
 */
const prefixes = /^(?:_XL[A-Z]*\.)+/

/**
 * Quoted texts, quoted names of sheets, the beginning of column names, and words. A doubled quotation mark ends one
 * text and begins another.
 */
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

/** A word without a prefix and a bracket is a name that somebody gave, for example to a sheet. */
function asksServer(word: string, formula: string, end: number): boolean {
  const name = word.replace(prefixes, '')
  if (!served.has(name)) return false
  bracket.lastIndex = end
  return name !== word || bracket.test(formula)
}

/**
 * The position behind the bracket that closes the one at `start`; an apostrophe stands before each bracket that
 * belongs to a name.
 */
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
