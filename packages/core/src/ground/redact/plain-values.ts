/** Words that settings are made of: none of them is a secret, whatever it is called. */
const settings = `
  0 1 yes no on off true false none null nil undefined empty unset auto default always never enabled disabled enable disable
  allow deny ask grant
  debug info notice warn warning error trace verbose silent quiet fatal critical
  development develop dev production prod staging stage testing test tests preview local localhost sandbox release beta alpha
  latest stable canary nightly main master public private internal external strict lax simple combined common short tiny
  json text pretty plain html yaml xml utf8 utf-8 ascii base64 utc gmt
  http https tcp udp tls ssl starttls smtp imap basic bearer oauth oauth2 oidc saml jwt session cookie header
  redis memory file filesystem disk database console stdout stderr syslog
  postgres postgresql mysql mariadb mssql sqlite sqlite3 mongodb mongo elasticsearch kafka rabbitmq
  admin administrator user username root guest anonymous nobody node
  example sample placeholder changeme change-me change_me replaceme todo tbd required optional
  string number boolean integer object array
  omit include same-origin no-cors cors
  password passwd pass pwd pw secret token tok credentials your-password your-token your-secret your-api-key
`
const words: ReadonlySet<string> = new Set(settings.trim().split(/\s+/))

/** Whether it is a word of settings, or a number of few digits. */
export function isPlainWord(value: string): boolean {
  return words.has(value.toLowerCase()) || /^[-+]?\d{1,3}$/.test(value)
}

/** As of a program: `1.2.3`, `v20.11`, `2.0.0-rc.1`. */
export function isVersion(value: string): boolean {
  return /^[v^~>=]{0,3}\d{1,4}(?:\.\d{1,5}){1,2}(?:[-+][0-9A-Za-z.-]{1,40})?$/.test(value)
}

/** Of a file or directory: every step of it is one that people give as a name. */
export function isPath(value: string): boolean {
  const isRooted = /^(?:[A-Za-z]:[\\/]|\\\\|~?\/|\.{1,2}\/)/.test(value)
  if (!isRooted && !/^@?[\w.-]+(?:\/[\w.-]+)+\/?$/.test(value)) return false
  const steps = value.split(/[\\/]+/).filter(Boolean)
  return steps.length > 0 && steps.every((step) => isStep(step, isRooted))
}

/** A name is made of words and numbers; of letters and digits in turn, only a secret that has a slash in it. */
function isStep(step: string, isRooted: boolean): boolean {
  if (!/^[\w.@~:$%*{} -]+$/.test(step)) return false
  const pieces = step.match(/[A-Za-z]+|\d+/g) ?? []
  return pieces.length <= (isRooted ? 8 : 4) && pieces.every((piece) => isName(piece))
}

function isName(piece: string): boolean {
  const isLong = piece.length > 12 && /[A-Za-z]/.test(piece)
  return (
    /^(?:\d{1,14}|[A-Z]?[a-z]{0,24}(?:[A-Z][a-z]{1,24}){0,4}|[A-Z]{1,20})$/.test(piece) && (!isLong || isSpoken(piece))
  )
}

/** Whether letters can be a word: no language has many in a row without a vowel. */
export function isSpoken(text: string): boolean {
  return /[aeiouy]/i.test(text) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(text)
}
