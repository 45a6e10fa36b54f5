import common from '@kelisim/texts/en/common.json'
import errors from '@kelisim/texts/en/errors.json'
import identity from '@kelisim/texts/en/identity.json'
import lists from '@kelisim/texts/en/lists.json'
import options from '@kelisim/texts/en/options.json'
import portal from '@kelisim/texts/en/portal.json'
import shell from '@kelisim/texts/en/shell.json'

export const texts = { common, errors, identity, lists, options, portal, shell }
