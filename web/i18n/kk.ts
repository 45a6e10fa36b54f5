import common from '@kelisim/texts/kk/common.json'
import errors from '@kelisim/texts/kk/errors.json'
import identity from '@kelisim/texts/kk/identity.json'
import lists from '@kelisim/texts/kk/lists.json'
import options from '@kelisim/texts/kk/options.json'
import portal from '@kelisim/texts/kk/portal.json'
import shell from '@kelisim/texts/kk/shell.json'

export const texts = { common, errors, identity, lists, options, portal, shell }
