import type { SecretSample } from "./secret-samples.ts"

/** The length of the longest piece of a secret that a text still holds, what everybody knows of it left out. */
export function longestLeak(text: string, { secret, publicPart }: Pick<SecretSample, "secret" | "publicPart">): number {
  const own = secret.slice(publicPart.length).replace(/-----END[\s\S]*$/, "")
  let longest = 0
  for (let start = 0; start < own.length; start++)
    while (start + longest < own.length && text.includes(own.slice(start, start + longest + 1))) longest += 1
  return longest
}
