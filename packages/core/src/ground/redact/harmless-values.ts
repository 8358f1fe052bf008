const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words of sentences: a text with one of them is not taken for a secret only because of its name. */
const sentence = list(`
  a an the this that these those is are was were be been being it its if when while unless until once not no never only also just still
  to for of in on at by with without from into as or and but than then so because via per
  you your yours we our they their he she his her who whom which whose what where how why
  must should shall may might can could will would do does did has have had need needs let lets use uses used using
  see below above here there please enter type choose set sets get gets give gives given make makes take takes
  invalid required missing wrong incorrect expired too very more most less least at least any all each every some none both
  error failed fails cannot can't don't doesn't isn't won't
`)

/** Words that describe a secret, and names of types. They describe a value and are not one. */
const descriptions = list(`
  required optional missing invalid valid wrong incorrect correct empty blank set unset present absent given known unknown
  expired expires revoked rotated renewed refreshed rejected accepted denied allowed refused granted issued signed verified
  stored saved kept read written sent received returned passed forwarded logged printed shown hidden masked redacted removed
  deleted dropped cleared reset changed updated created generated derived computed checked compared matched used unused reused
  needed unnecessary ignored skipped omitted supported unsupported deprecated available unavailable
  encrypted decrypted hashed salted encoded decoded plain plaintext clear cleartext random secure insecure safe unsafe
  weak strong short long shorter longer old new older newer current previous next last first second same different other another
  good bad ok okay fine stale fresh live dead gone there here below above inside outside elsewhere yours mine ours theirs
  case-sensitive sensitive confidential visible invisible public private shared personal temporary permanent static dynamic
  opaque unique global local remote per-user per-project scoped
  somewhere something anything nothing everything someone anyone
  string strings str char chars character characters varchar text bytes byte bytea blob buffer uuid guid url uri json number
  int int32 int64 integer float double decimal bool boolean date datetime timestamp bigint symbol any unknown never void object
  null undefined nil none option optional some vec list array map set dict record tuple enum struct class interface type
  self this value values val variable var field column param parameter arg argument args input output body header headers query
  form data payload request response req res config settings env environment context ctx state props store cache session user
  hash digest md5 sha1 sha256 sha512 bcrypt scrypt argon2 argon2id hmac base64 hex pem der jwk x509
  next prev token tokens secret secrets password passwords key keys credential credentials auth
  raw primary secondary trimmed parsed encoded line word match result found item entry row part parts node element index
  click hover focus submit button label placeholder title name id
  await new typeof function async yield lambda return super import require delete throw
  literal keyword identifier operator punctuation comment whitespace number eof newline
  yes no true false on off todo fixme tbd
`)

/** A template, placeholder, variable or bound parameter, into which the secret is put later. */
const template =
  /^(?:\$\{?[A-Za-z_][\w.:-]*\}?|\$[({].*|%[A-Za-z_]{2,}%?|%[sdvqr@]|%\(.*|\{\{?.*|<.*|:[a-z_]+|\?|#\{.*|@[a-z_]+|&[a-z_]+|\*[a-z_]+|![A-Za-z]\w*)$/
/** A mask that already hides a secret. */
const mask = /^(?:[*•x.…#_?-]{1,}|\[?(?:redacted|hidden|masked|removed|filtered|omitted)\b.*|x{2,}[\w-]*|\.{3}.*)$/i
/** `your-token-here`, `<insert key>`, `my_password`. */
const placeholder =
  /^(?:your|insert|enter|replace|change|some|put|paste|fill)(?:$|[-_ .].*|(?:your|own|new|api|app|access|auth|client|bearer|secret|password|passphrase|passwd|pass|token|key|name|user|value|here|me|it|this|with|in|thing|string|text|random|db|database)+s?\d{0,2}$)/i
/** Another name for a secret: `access_token`, `userPassword`, `DB_PASSWORD`. */
const otherName =
  /^(?:[A-Za-z][a-z0-9]{0,14}[-_ .:]?){0,4}(?:[Pp]assword|PASSWORD|[Pp]asswd|[Pp]wd|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]eys?|KEYS?|[Cc]redentials?|CREDENTIALS|[Pp]assphrase)s?$/
const upperName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
/** The algorithm of a signature: `HS256`. */
const algorithm = /^(?:[HREP]S|es)(?:256|384|512)K?$/i
/** `a.b.c`, `a?.b`, `a::b`, `A->b`. */
const member = /^[A-Za-z_$][\w$]*!?(?:(?:\??\.|::|->)[A-Za-z_$#][\w$]*)+[!?]?$/
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\//i
const date = /^\d{4}-\d\d-\d\d(?:[T ].*)?$|^\d+(?:\.\d+)?(?:ms|s|m|h|d|k|kb|mb|gb|px|em|rem|%)$/i

/** Whether a value is no secret, whatever its name is: a setting, a type, a description, a template, an address. */
export function isHarmless(value: string): boolean {
  return (
    isPlainWord(value) ||
    template.test(value) ||
    mask.test(value) ||
    isVersion(value) ||
    date.test(value) ||
    url.test(value) ||
    isPath(value) ||
    algorithm.test(value) ||
    isDescription(value)
  )
}

/** Whether a value only describes a secret, or is another name for it. */
export function isDescription(value: string): boolean {
  const bare = value.replace(/[.!?,:;]+$/, "")
  if (bare === "") return true
  if (descriptions.has(bare.toLowerCase()) || sentence.has(bare.toLowerCase()) || placeholder.test(bare)) return true
  return bare.length <= 60 && isOtherName(bare)
}

/** Whether a cut text may be the beginning of a word that only describes a secret. */
export function mayBeDescription(start: string): boolean {
  const begun = start.toLowerCase()
  for (const known of [descriptions, sentence]) for (const word of known) if (word.startsWith(begun)) return true
  return false
}

function isOtherName(text: string): boolean {
  return (
    (otherName.test(text) && /[-_ .:]|[a-z][A-Z]|^[A-Z]?[a-z]+$/.test(text) && !isRunTogether(text)) ||
    (upperName.test(text) && /KEY|TOKEN|SECRET|PASS|PWD|CRED/.test(text))
  )
}

/** Whether words are run together: `supersecret` is a password, but `secret` and `clientSecret` are names of one. */
function isRunTogether(text: string): boolean {
  return /^[a-z]+$/.test(text) && !/^(?:password|passwd|pwd|secret|token|keys?|credentials?|passphrase)s?$/.test(text)
}

/** Whether words are a sentence or a label, and no passphrase. */
export function isProse(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter(Boolean)
  if (words.length < 2) return false
  return (
    /^\p{Lu}\p{Ll}/u.test(text) ||
    /[.?:]$/.test(text) ||
    words.some((word) => sentence.has(word)) ||
    words.every((word) => descriptions.has(word))
  )
}

/** The path of a variable or a call: code that gets the secret, not the secret. */
export function isCode(value: string): boolean {
  return /^[$%*<]|^process\./.test(value) || member.test(value)
}

/** Whether a value is an expression of variables: `a||b`, `a?b`. */
export function isExpression(value: string): boolean {
  return /^[\w$.!]+(?:\|\||&&|\?\?|\?\w|\+|[=!]==?)/.test(value)
}

/** Whether a value is no word: it mixes letters and digits, and has many different characters. */
export function looksRandom(value: string, fewest: number): boolean {
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value)
  if (value.length < fewest || !isMixed) return false
  return entropy(value) >= (value.length < 16 ? 2.5 : 3)
}

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Whether a text consists only of words: `src/some-file`, `camelCase`. */
export function isWords(text: string): boolean {
  return (
    !/\d/.test(text) &&
    text.split(/[^A-Za-z]+/).every((word) => /^[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*$|^[A-Z]+$/.test(word))
  )
}

/** Usual words of settings: none of them is a secret, whatever its name is. */
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
const settingWords: ReadonlySet<string> = new Set(settings.trim().split(/\s+/))

/** Whether a value is a usual word of settings, or a number of few digits. */
export function isPlainWord(value: string): boolean {
  return settingWords.has(value.toLowerCase()) || /^[-+]?\d{1,3}$/.test(value)
}

/** Whether a value is the version of a program: `1.2.3`, `v20.11`, `2.0.0-rc.1`. */
export function isVersion(value: string): boolean {
  return /^[v^~>=]{0,3}\d{1,4}(?:\.\d{1,5}){1,2}(?:[-+][0-9A-Za-z.-]{1,40})?$/.test(value)
}

/** Whether a value is the path of a file or directory: every step of it looks like a name that people give. */
export function isPath(value: string): boolean {
  const isRooted = /^(?:[A-Za-z]:[\\/]|\\\\|~?\/|\.{1,2}\/)/.test(value)
  if (!isRooted && !/^@?[\w.-]+(?:\/[\w.-]+)+\/?$/.test(value)) return false
  const steps = value.split(/[\\/]+/).filter(Boolean)
  return steps.length > 0 && steps.every((step) => isStep(step, isRooted))
}

/** Whether a step looks like a name: a step with many runs of letters and digits is part of a secret with slashes. */
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
