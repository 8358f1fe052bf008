/** What calls a value a secret, wherever it stands in a name, as long as the name ends with it. */
const anywhere = [
  "(?:api|app|access|auth|secret|private|encryption|signing|master|license|ssh|hmac|deploy|account|shared|admin|consumer)[_ -]?key",
  "secret|token|passwo?r?d|passwd|passphrase|passcode|passwort|kennwort|contraseña|credentials?",
]
/** Abbreviations, which are part of too many words: they begin one, or a hump of a name. */
const alone = "pass|pwd|pw|pswd|psw|tok|creds?|pin|otp|jwt"
/** What is passed, and no password: `two-pass`. */
const passes = "one|two|three|four|multi|single|double|first|second|final|high|low|band|by"
/** What is written together with it in capitals: `SSHPASS`. */
const together = "SSH|DB|PG|SQL|FTP|SMTP|MAIL|ROOT|ADMIN|USER|MY"

/** Matches each letter in both cases: no flag makes only a part of a pattern ignore case. */
function anyCase(source: string): string {
  return source.replace(/(?<!\\)[a-zñ]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/**
 * A name that calls its value a secret, up to its end, as the source of a regular expression without flags of its own.
 */
const secretName = `(?:${anyCase(anywhere.join("|"))}|(?<![A-Za-z])(?:${anyCase(alone)})(?<!(?:${anyCase(passes)})-[pP][aA][sS][sS])|(?:PASS|PWD|PW)(?<=(?:${together})(?:PASS|PWD|PW))|(?<=[a-z])(?:Pass|Pwd|Pw|Tok|Creds?|Pin|Otp|Jwt))`
/** `password_2`, `SECRET_KEY_BASE`. */
const ending = `(?:[_-]?\\d{1,2}|[_-](?:${anyCase("base|prod|production|dev|staging|test|live|primary|secondary|value|plain|raw|main")}))?`

/** A name that calls its value a secret. One that goes on, as `tokenizer` or `password-file`, does not. */
export const namedPattern: string = `${secretName}${ending}(?![A-Za-z0-9-]|_{1,3}[A-Za-z0-9-])`

/** Names of passwords: what stands behind them is one, numbers too. */
const passwordName =
  /pass(?:wo?r?d|wd|phrase|code|wort)?(?:$|[_-])|kennwort|contrase|pwd|psw|(?:^|[^a-z])(?:pw|pin|otp)|Pw|Pin|Otp/i

/** The word itself, behind which a value may stand in quotes. "Pass" is a verb, too. */
export function isPasswordWord(name: string): boolean {
  return /pass(?:word|wd|phrase|code|wort)$/i.test(name)
}

export function isPasswordName(name: string): boolean {
  return passwordName.test(name)
}
