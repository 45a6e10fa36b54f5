import { html, trusted, type Html, type Part } from '../http/html.ts'

type Field = {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: 'username' | 'email' | 'name' | 'current-password' | 'new-password' | 'one-time-code' | 'off'
  /** A short number: phones show their numeric keyboard. */
  isDigits?: boolean
  /** The typed value; never set for a password. */
  value?: string
  help?: string
  error?: string | undefined
  /** A link beside the label. */
  link?: Html
  isFirst?: boolean
}

/** A labelled input whose help and error are announced with it. */
export function field(input: Field): Html {
  const { name, label, type, autocomplete, isDigits, value, help, error, link, isFirst } = input
  const helpId = help ? `${name}-help` : null
  const errorId = error ? `${name}-error` : null
  const described = [errorId, helpId].filter((id) => id !== null).join(' ')
  return html`<div class="field">
    <div class="field-head"><label for="${name}">${label}</label>${link}</div>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      ${value !== undefined && html`value="${value}"`}
      ${type === 'email' && trusted('inputmode="email" autocapitalize="none" spellcheck="false"')}
      ${isDigits && trusted('inputmode="numeric" maxlength="7" class="digits"')}
      ${described && html`aria-describedby="${described}"`}
      ${error && trusted('aria-invalid="true"')}
      ${(isFirst || error) && trusted('autofocus')}
    />
    ${error && html`<p class="error" id="${errorId}" role="alert">${error}</p>`}
    ${help && html`<p class="help" id="${helpId}">${help}</p>`}
  </div>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** The account a password form is about, for password managers; not visible. */
export function knownUsername(email: string): Html {
  return html`<input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />`
}

/** Validated here, not by the browser, whose messages are in its own language and not beside the field. */
export function form(action: string, content: Part): Html {
  return html`<form method="post" action="${action}" novalidate>${content}</form>`
}

export function alert(text: string | undefined): Html | null {
  return text ? html`<p class="alert" role="alert">${text}</p>` : null
}

export function button(label: string, kind: 'primary' | 'quiet' = 'primary'): Html {
  return html`<button class="button ${kind === 'quiet' && 'quiet'}">${label}</button>`
}

export function buttonLink(label: string, href: string, kind: 'primary' | 'quiet' = 'primary'): Html {
  return html`<a class="button ${kind === 'quiet' && 'quiet'}" href="${href}">${label}</a>`
}
