import { pages } from '@kelisim/domain/pages.ts'
import { Mark } from '../../ui/look/pictures.tsx'
import { IfSaid, operator, Phones, SocialLinks } from '../shared/operator.tsx'
import { Ornament } from '../shared/pictures.tsx'
import { supportEmail, type LandingProps } from '../shared/landing-props.ts'
import { Systems } from './header.tsx'

export function Footer({ t, language }: LandingProps) {
  const { footer: f } = t
  const documents = [
    ['contract-offer', f.offer],
    ['terms-of-use', f.terms],
    ['instruction', f.instruction],
  ] as const
  return (
    <footer>
      <Ornament of="footer" />
      <div className="bounds">
        <div className="about">
          <div className="brand">
            <Mark />
            Келісім
          </div>
          <p>{f.about}</p>
          <details>
            <summary>{f.more}</summary>
            <p>{f.long.a}</p>
            <p>{f.long.b}</p>
          </details>
        </div>
        <nav aria-labelledby="footer-documents">
          <h2 id="footer-documents">{f.documents}</h2>
          {documents.map(([name, title]) => (
            <a key={name} href={`/files/${name}.${language}.pdf`} data-pdf>
              {title}
            </a>
          ))}
          <a href={pages.verify}>{t.nav.check}</a>
          <a href={pages.log}>{t.nav.log}</a>
        </nav>
        <nav aria-labelledby="footer-systems">
          <h2 id="footer-systems">{t.nav.systems}</h2>
          <Systems t={t} />
        </nav>
        <div>
          <h2>{f.contacts}</h2>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <Phones />
          <IfSaid what="ADDRESS">
            <p>{operator.address}</p>
          </IfSaid>
          <IfSaid what="SOCIAL">
            <h2>{f.social}</h2>
            <p className="social">
              <SocialLinks />
            </p>
          </IfSaid>
        </div>
        <p className="rights">
          {f.rights}
          <IfSaid what="NAME">
            {' · '}
            {operator.name}
          </IfSaid>
          <IfSaid what="BIN">
            {' · '}
            {f.bin} {operator.bin}
          </IfSaid>
        </p>
      </div>
      <dialog
        className="pdf"
        aria-labelledby="pdf-title"
        data-loading={f.loading}
        data-failed={f.failed}
        data-page={f.page}
      >
        <div className="bar">
          <h2 id="pdf-title">{f.documents}</h2>
          <a className="secondary" href={`/files/instruction.${language}.pdf`} download>
            {f.download}
          </a>
          <button className="secondary" type="button" aria-label={f.close}>
            ✕
          </button>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys */}
        <div className="pages" tabIndex={0} role="region" aria-labelledby="pdf-title" />
      </dialog>
    </footer>
  )
}
