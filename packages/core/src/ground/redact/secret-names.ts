/** Words that call a value a secret when a name ends with them. */
const anywhere = [
  "(?:api|app|access|auth|secret|private|encryption|signing|master|license|ssh|hmac|deploy|account|shared|admin|consumer)[_ -]?key",
  "secret|token|passwo?r?d|passwd|passphrase|passcode|passwort|kennwort|contraseña|credentials?",
]
/** Abbreviations that are part of too many words, so they count only as a whole word or as the last part of a name. */
const alone = "pass|pwd|pw|pswd|psw|tok|creds?|pin|otp|jwt"
/** Words before `pass` that do not make it a password: `two-pass`. */
const passes = "one|two|three|four|multi|single|double|first|second|final|high|low|band|by"
/** Words that are joined with such an abbreviation in capitals: `SSHPASS`. */
const together = "SSH|DB|PG|SQL|FTP|SMTP|MAIL|ROOT|ADMIN|USER|MY"

/** Matches each letter in both cases, because no flag makes only a part of a pattern ignore case. */
function anyCase(source: string): string {
  return source.replace(/(?<!\\)[a-zñ]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/**
 * A name that calls its value a secret, up to its end, as the source of a regular expression without flags of its own.
 */
const secretName = `(?:${anyCase(anywhere.join("|"))}|(?<![A-Za-z])(?:${anyCase(alone)})(?<!(?:${anyCase(passes)})-[pP][aA][sS][sS])|(?:PASS|PWD|PW)(?<=(?:${together})(?:PASS|PWD|PW))|(?<=[a-z])(?:Pass|Pwd|Pw|Tok|Creds?|Pin|Otp|Jwt))`
/** Endings that may follow such a name: `password_2`, `SECRET_KEY_BASE`. */
const ending = `(?:[_-]?\\d{1,2}|[_-](?:${anyCase("base|prod|production|dev|staging|test|live|primary|secondary|value|plain|raw|main")}))?`

/** A name that calls its value a secret. One that goes on, as `tokenizer` or `password-file`, does not. */
export const namedPattern: string = `${secretName}${ending}(?![A-Za-z0-9-]|_{1,3}[A-Za-z0-9-])`

/** Names of passwords: even a number behind them is a secret. */
const passwordName =
  /pass(?:wo?r?d|wd|phrase|code|wort)?(?:$|[_-])|kennwort|contrase|pwd|psw|(?:^|[^a-z])(?:pw|pin|otp)|Pw|Pin|Otp/i

/** Whether a name is a word for a password, behind which a value may stand in quotes. "Pass" is also a verb. */
export function isPasswordWord(name: string): boolean {
  return /pass(?:word|wd|phrase|code|wort)$/i.test(name)
}

export function isPasswordName(name: string): boolean {
  return passwordName.test(name)
}
