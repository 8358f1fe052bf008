import { type DecodedText, flatten, seamsWithin } from "./decoded-text.ts"
import { isPlainWord, isWords, looksRandom } from "./harmless-values.ts"
import type { Hit } from "./hit.ts"

/** A user with a password. An `@` in the password was decoded before, or was never encoded. */
const userPassword =
  /[a-z0-9+.-]:\/\/([^\s/:@"'<>{}$]{0,100}:(?![*•x]+@)[^\s/@"'<>{}$]{0,200}(?:@[^\s/@?#,;()"'<>{}$]{1,100}){0,3})(?=@(?:[\w.…-]|$))/g
/** A token instead of a user. */
const userToken = /:\/\/([^\s/:@"'<>{}$%]{16,200})(?=@[\w-]+\.)/g
/** A host with its port. */
const port = /^[^:]*:\d{2,5}$/
/** Fewest characters of a password. */
const fewest = 3

/** Passwords and tokens in URLs of a view. */
export function findURLPasswords(view: DecodedText): Hit[] {
  return [...placesOf(view.text)].map((place) => hitOf(view, place))
}

/** Passwords and tokens in a view whose lines are joined: those that go over the end of a line. */
export function findURLPasswordsOverLines(view: DecodedText): Hit[] {
  const hits: Hit[] = []
  for (const place of placesOf(view.text)) {
    const [seam] = seamsWithin(view, place.start - 1, place.end)
    if (seam === undefined) continue
    // A host with its port ends one line, and the next one begins with words before an `@`.
    const isHostThenWords = port.test(view.text.slice(place.start, seam)) && isWords(view.text.slice(seam, place.end))
    if (!isHostThenWords) hits.push(hitOf(view, place))
  }
  return hits
}

interface Place {
  start: number
  end: number
}

function* placesOf(text: string): Generator<Place> {
  if (!text.includes("://")) return
  for (const { index, 0: whole, 1: pair = "" } of text.matchAll(userPassword)) {
    const password = pair.slice(pair.indexOf(":") + 1)
    const end = index + whole.length
    // Manuals write plain words: `user:password`.
    if (password.length >= fewest && !isPlainWord(password)) yield { start: end - pair.length, end }
  }
  for (const { index, 0: whole, 1: user = "" } of text.matchAll(userToken)) {
    const end = index + whole.length
    const isToken = looksRandom(user, 16) && (user.match(/\d+/g)?.length ?? 0) >= 3
    if (isToken) yield { start: end - user.length, end }
  }
}

function hitOf(view: DecodedText, { start, end }: Place): Hit {
  const secret = flatten(view.text.slice(start, end)).text
  return { rule: "url-password", label: "password in a URL", start: view.from(start), end: view.to(end), secret }
}
