import { isCode, isExpression, isHarmless } from "./harmless-values.ts"
import { entropy } from "./looks-random.ts"
import { isPasswordName } from "./secret-names.ts"

/** Where a value stands. */
export interface Place {
  name: string
  /** What stands in the line before the name. */
  before: string
  /** What stands behind the value. */
  next: string
  /** Between name and value. */
  separator: string
}

/** Fewest characters of a value: one of fewer is a letter of a formula. */
export const fewest = 3

const lineOfCode =
  /(?:^|[;{(])\s*(?:const|let|var|val|final|static|readonly|private|protected|public|return|if|else|for|while|case|await|new|import|export (?:const|let|function|type|class|default|interface|async)|def|func|fn|function|type|interface|class|struct|throw|yield)\b|=>/
/** What variables of programs are members of. */
const ownMember =
  /^(?:this|self|cls|req|res|request|response|ctx|context|user|state|opts|options|params|props|data|obj|body|event|args|process|module|exports|window|document|it|row|result|item|node|input|form|values|account|client|session|store|auth|env)\.|^\./

/** Whether what nothing encloses is a secret, by what it is and where it stands. */
export function isSecretBare(value: string, place: Place, isSetting: boolean): boolean {
  if (value.length < fewest || isPlaceholder(value, place, isSetting)) return false
  if (
    /^[([{]/.test(place.next) ||
    isExpression(value) ||
    (isCode(value) && !(isSetting && !/^[$%*<]|^process\./.test(value)))
  )
    return false
  if (isNameOfKind(value, place)) return false
  if (/^\d+$/.test(value)) return value.length >= 4 && isPasswordName(place.name) && !/^pass$/i.test(place.name)
  return isStrong(value) ? isStrongSecret(value, place, isSetting) : isSetting || isWordSecret(value, place)
}

function isPlaceholder(value: string, place: Place, isSetting: boolean): boolean {
  const bareValue = value.replace(/[.,:;!?]+$/, "")
  if (bareValue.toLowerCase() === place.name.toLowerCase()) return true
  if (!isSetting) return isHarmless(bareValue)
  // A setting says what it says: of names only those in capitals stand for another.
  return (
    isHarmless(bareValue) &&
    (!/^[a-z0-9]+(?:-[a-z0-9]+)+$|_/.test(bareValue) ||
      /^(?:your|change|insert|replace)/i.test(bareValue) ||
      /^[A-Z_]+$/.test(bareValue))
  )
}

/** Nobody's word: letters with digits or signs. */
export function isStrong(value: string): boolean {
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#$%^&*+~?|\\/=]/.test(value.replace(/[!?]+$/, "")))
}

/** `token: IDENT`, as grammars write it, and `--color-token: blue`, as style sheets do. */
function isNameOfKind(value: string, { name, separator }: Place): boolean {
  if (!separator.includes(":") || isPasswordName(name)) return false
  return name.startsWith("--") || (/^[a-z]/.test(name) && /^[A-Z][A-Z_]*$/.test(value))
}

/** What stands before a name in the same string, when it stands in one. */
function withinString(before: string, separator: string): string {
  const isInside = !separator.startsWith('"') && before.split('"').length % 2 === 0
  return isInside ? before.slice(before.lastIndexOf('"') + 1) : before
}

function isStrongSecret(value: string, { next, separator, ...place }: Place, isSetting: boolean): boolean {
  if (isSetting) return true
  const before = withinString(place.before, separator)
  const isIdentifier = /^[A-Za-z_$][\w$]*[!?]?$/.test(value)
  const isInCode =
    lineOfCode.test(before) ||
    /^\s*(?:[;)}\]]|,\s*$|&&|\|\||\?|=>|\+)/.test(next) ||
    /[({]/.test(before) ||
    separator.includes(":=")
  if (!isIdentifier || !isInCode) return true
  return value.length >= 12 && (value.match(/\d/g)?.length ?? 0) >= 2 && entropy(value) >= 3
}

/** A word that stands where settings have values, and no variable does. */
function isWordSecret(value: string, { name, before, next, separator }: Place): boolean {
  if (separator.includes("=>") || /={2,}|:=/.test(separator)) return false
  if (lineOfCode.test(before) || ownMember.test(name) || /^[@$]/.test(name)) return false
  const isTight = separator === "="
  const isCamel = /[a-z][A-Z]/.test(value)
  if (isTight) return !isCamel && !(/\([^)]*$/.test(before) && !isPasswordName(name))
  if (/^[A-Z][a-z]/.test(value) && !/^[A-Z][a-z]/.test(name)) return false
  const isAlone = /^[\s\-#>|+*"']*$/.test(before)
  const endsLine = /^\.?\s*(?:$|\r?\n|\s#|\s\/\/)/.test(next)
  if (isCamel || /_/.test(value)) return false
  if (separator.includes("=")) return isAlone && endsLine
  return endsLine && (isAlone || isPasswordName(name))
}
