import type { SecretSample } from "./secret-samples.ts"

/** Ids and times (epoch ms) change from run to run: by chance they can hold a few characters of a secret. */
const changing = /\b[a-z]{3}_\w{26}|\b\d{13}\b/g

/**
 * The length of the longest piece of a secret that a text still holds, ids, times and what everybody knows of it left
 * out.
 */
export function longestLeak(text: string, { secret, publicPart }: Pick<SecretSample, "secret" | "publicPart">): number {
  const own = secret.slice(publicPart.length).replace(/-----END[\s\S]*$/, "")
  const said = text.replaceAll(changing, "")
  let longest = 0
  for (let start = 0; start < own.length; start++)
    while (start + longest < own.length && said.includes(own.slice(start, start + longest + 1))) longest += 1
  return longest
}
