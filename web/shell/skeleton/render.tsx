/** Called by the build: renders the skeleton of the application as HTML, for each language and open section. */
import { renderToStaticMarkup } from 'react-dom/server'
import { sectionNames, type SectionName } from '@kelisim/domain/shell.ts'
import enCommon from '@kelisim/texts/en/common.json'
import enShell from '@kelisim/texts/en/shell.json'
import kkCommon from '@kelisim/texts/kk/common.json'
import kkShell from '@kelisim/texts/kk/shell.json'
import ruCommon from '@kelisim/texts/ru/common.json'
import ruShell from '@kelisim/texts/ru/shell.json'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { translate } from '@kelisim/texts/translate.ts'
import brand from '../../ui/look/brand.module.css?inline'
import theme from '../../ui/look/theme.css?inline'
import header from '../header/header.module.css?inline'
import layout from '../layout/default-layout.module.css?inline'
import menu from '../menu/side-menu.module.css?inline'
import { rulesOfSkeleton, Skeleton } from './skeleton.tsx'
import own from './skeleton.module.css?inline'

const texts = {
  ru: { common: ruCommon, shell: ruShell },
  kk: { common: kkCommon, shell: kkShell },
  en: { common: enCommon, shell: enShell },
}

/** The global styles of the component library, as far as the skeleton needs them. */
const ofLibrary =
  '*,*::before,*::after{box-sizing:border-box}body{margin:0;font-family:"Golos Text",system-ui,sans-serif}' +
  ':root[data-mantine-color-scheme=light]{color-scheme:light}:root[data-mantine-color-scheme=dark]{color-scheme:dark}'

export type Skeletons = { css: string; html: Record<Language, Record<SectionName, string>> }

export function renderSkeletons(): Skeletons {
  return {
    css: [ofLibrary, theme, brand, header, layout, menu, own, rulesOfSkeleton()].join(''),
    html: byName(languages, (language) => byName(sectionNames, (section) => htmlOf(language, section))),
  }
}

function htmlOf(language: Language, section: SectionName): string {
  const { common } = texts[language]
  return renderToStaticMarkup(
    <Skeleton
      product={common.product}
      language={common.languagesShort[language]}
      section={section}
      shell={(key) => translate(texts[language], language, `shell:${key}`) ?? key}
    />,
  )
}

function byName<N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>
}
