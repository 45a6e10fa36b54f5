import common from '@kelisim/texts/ru/common.json'
import errors from '@kelisim/texts/ru/errors.json'
import identity from '@kelisim/texts/ru/identity.json'
import lists from '@kelisim/texts/ru/lists.json'
import options from '@kelisim/texts/ru/options.json'
import portal from '@kelisim/texts/ru/portal.json'
import shell from '@kelisim/texts/ru/shell.json'

export const texts = { common, errors, identity, lists, options, portal, shell }
