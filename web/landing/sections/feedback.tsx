import { longestEmail } from '@kelisim/domain/email-address.ts'
import { longestMessage } from '@kelisim/domain/landing/feedback.ts'
import { IfSaid, operator, Phones } from '../shared/operator.tsx'
import { supportEmail, type LandingProps } from '../shared/landing-props.ts'

export function Feedback({ t: { feedback: f, footer } }: LandingProps) {
  return (
    <section className="feedback bounds" id="contacts" aria-labelledby="feedback-title">
      <div>
        <h2 id="feedback-title">{f.title}</h2>
        <p className="lead">{f.lead}</p>
        <address>
          <b>{footer.support}</b>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <Phones />
          <IfSaid what="NAME">
            <b className="operator">{operator.name}</b>
          </IfSaid>
          <IfSaid what="BIN">
            <span>
              {footer.bin} {operator.bin}
            </span>
          </IfSaid>
          <IfSaid what="ADDRESS">
            <span>{operator.address}</span>
          </IfSaid>
        </address>
      </div>
      <noscript>
        <p className="notice">
          {f.noScript} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </p>
      </noscript>
      {/* The error texts that the script shows. */}
      <form
        className="needs-script"
        noValidate
        data-texts={JSON.stringify({ ...f.errors, sending: f.sending, send: f.send })}
      >
        <Field name="name" label={f.name} max={250} autoComplete="name" />
        <Field name="email" label={f.email} max={longestEmail} type="email" autoComplete="email" />
        <Field
          name="phone"
          label={f.phone}
          max={50}
          type="tel"
          autoComplete="tel"
          placeholder="+7 7__ ___ __ __"
        />
        <p className="field message">
          <label htmlFor="feedback-message">{f.message}</label>
          <textarea
            id="feedback-message"
            name="message"
            rows={5}
            maxLength={longestMessage}
            required
            aria-describedby="feedback-message-help feedback-message-error"
          />
          <small id="feedback-message-help">{f.messageHelp}</small>
          <small className="error" id="feedback-message-error" />
        </p>
        <div className="captcha-place" />
        <p className="error" data-error-of="captcha" role="alert" />
        <button className="primary" type="submit">
          {f.send}
        </button>
      </form>
      <div className="sent" hidden tabIndex={-1}>
        <p>{f.sent}</p>
        <button className="secondary" type="button">
          {f.another}
        </button>
      </div>
    </section>
  )
}

function Field({
  name,
  label,
  max,
  ...rest
}: {
  name: string
  label: string
  max: number
  type?: string
  autoComplete: string
  placeholder?: string
}) {
  const id = `feedback-${name}`
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} maxLength={max} required aria-describedby={`${id}-error`} {...rest} />
      <small className="error" id={`${id}-error`} />
    </p>
  )
}
