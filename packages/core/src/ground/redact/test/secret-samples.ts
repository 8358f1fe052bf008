import { secretKinds } from "../find-kinds.ts"

/** A made-up secret, with the text it usually stands in. */
export interface SecretSample {
  name: string
  secret: string
  /** What everybody knows of it: its prefix. */
  publicPart: string
  text: string
}

/** Characters from a fixed sequence, so that a failure can be repeated and no file holds a whole key. */
export function madeUp(alphabet: string, length: number, seed: number): string {
  let state = seed * 2_654_435_761 + 12_345
  let text = ""
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += alphabet[(state >>> 8) % alphabet.length]
  }
  return text
}

const upper = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
const mixed = "abcdefghjkmnpqrstvwxyzABCDEFGHJKMNPQRSTVWXYZ23456789"
const hex = "0123456789abcdef"

function alphabetOf(body: string): string {
  if (body.startsWith("A-Z0-9")) return upper
  return body.startsWith("a-f") || body.startsWith("a-fA-F") ? hex : mixed
}

/** Samples of the kinds that are known by how they begin: one for each prefix. */
const kindSamples: SecretSample[] = secretKinds.flatMap(({ id, body, min, max, prefixes }, nth) =>
  prefixes.map((prefix) => {
    const length = Math.min(max, min + 6)
    const secret = prefix + shape(id, madeUp(alphabetOf(body), length, nth + prefix.length * 100))
    return { name: `${id} ${prefix}`, secret, publicPart: prefix, text: `the value is ${secret} as of today` }
  }),
)

/** The kinds that have parts. */
function shape(id: string, body: string): string {
  if (id === "json-web-token") return `${body.slice(0, 17)}.eyJ${body.slice(0, 20)}.${body.slice(5)}`
  if (id === "sendgrid-key") return `${body.slice(0, 22)}.${body}`
  if (id === "discord-webhook") return `1122334455667788990/${body}${body}`
  if (id === "databricks-token") return body.slice(0, 32)
  return body
}

const privateKey = (head: string) =>
  `-----BEGIN ${head}-----\nMIIE${madeUp(mixed, 60, 3)}\n${madeUp(mixed, 64, 4)}\n${madeUp(mixed, 64, 5)}\n-----END ${head}-----`

/** Samples that something around them gives away. */
const namedSamples: SecretSample[] = [
  ["AWS secret key", madeUp(mixed, 40, 11), (it: string) => `export AWS_SECRET_ACCESS_KEY=${it}\n`],
  ["API key by its name", madeUp(mixed, 32, 12), (it: string) => `{"api_key": "${it}"}`],
  ["password by its name", madeUp(mixed, 14, 13), (it: string) => `password: "${it}"`],
  ["bearer token", madeUp(mixed, 40, 14), (it: string) => `curl -H 'Authorization: Bearer ${it}' https://x.example`],
  [
    "password in a URL",
    `deploy:${madeUp(mixed, 16, 15)}`,
    (it: string) => `git clone https://${it}@git.example.com/x.git`,
  ],
  [
    "database password",
    `app:${madeUp(mixed, 16, 16)}`,
    (it: string) => `DATABASE_URL=postgres://${it}@db.example.com/app`,
  ],
  ["Telegram bot token", `123456789:AA${madeUp(mixed, 33, 17)}`, (it: string) => `bot ${it} ok`],
  [
    "Discord bot token",
    `M${madeUp(mixed, 23, 18)}.${madeUp(mixed, 6, 19)}.${madeUp(mixed, 30, 20)}`,
    (it: string) => `login ${it} ok`,
  ],
  ["npm auth token", madeUp(mixed, 36, 21), (it: string) => `//registry.example.com/:_authToken=${it}\n`],
  ...["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].map(
    (head): [string, string, (it: string) => string] => [head, privateKey(head), (it) => `the key:\n${it}\nend of it`],
  ),
].map(([name, secret, textOf]) => {
  // The tuples above are of these three kinds.
  const [value, write] = [secret as string, textOf as (it: string) => string]
  return {
    name: name as string,
    secret: value,
    publicPart: value.startsWith("-----") ? value.slice(0, 36) : "",
    text: write(value),
  }
})

export const secretSamples: readonly SecretSample[] = [...kindSamples, ...namedSamples]
/** Samples of one line that only a name before them or a URL around them gives away, wherever they are cut. */
export const namedByText: readonly SecretSample[] = namedSamples.filter(({ text }) =>
  /key"?: "|password: "|Bearer |:\/\/|authToken=/i.test(text),
)
/** Samples that are found by how they begin, wherever they are cut. */
export const prefixedSamples: readonly SecretSample[] = kindSamples

/** What everyone writes and no secret is. */
export const harmlessTexts: readonly string[] = [
  "commit 3f786850e387550fdab836ed7e6dc881de23001b\nTree 89e6c98d92887913cadf06b2adb97f26cde4849b",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 is the image",
  "id 550e8400-e29b-41d4-a716-446655440000 of ses_0123456789abABCDEFGHIJKLMN in prt_0123456789abABCDEFGHIJKLMN",
  '"node_modules/a": { "version": "1.2.3", "integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==" }',
  "resolution: {integrity: sha512-Z5Qk3H0m1kz5O0PzG3gJ8nW2uYq1S6Zr3vT9bC4xD7eF8aH2jK5lM0nP6qR1sT4uV7wX9yZ3aB6cD8eF1gH4jQ==}",
  "export function token(text: string): Token { return nextToken(text, secretOf(key2)) }",
  "const password = process.env.DATABASE_PASSWORD2; const apiKey = config.provider.apiKey1",
  "const key = [prefix, userID].join(':'); if (tokens.length > 4096) throw new TooManyTokensError(tokens)",
  "if (text.includes('-----BEGIN PRIVATE KEY-----')) return isKey(text)",
  `const head = "-----BEGIN PRIVATE KEY-----"\nexport function isKey(text: string): boolean {\n  return text.startsWith(head) && hasLines(text)\n}\n${"// and more words about it\\n".repeat(9)}`,
  "!function(e,t){'object'==typeof exports?module.exports=t(require('x')):e.x=t(e.y)}(this,(function(e){var t=e.key||1024,n={a:1,b:[2,3]};return t.sk?n:r}));",
  "tokens: 12345, cacheRead: 4096, output_tokens: 512, max_tokens=8192, secret: true, password: null",
  "visit https://example.com/home/page?key=value#token or http://localhost:3000/share",
  "The sk- prefix and AKIA are how keys begin; hf_ and npm_ too. Keys begin with ghp_ at GitHub.",
  "font-family: ui-monospace; --color-key: #a1b2c3d4; background: url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
  "arn:aws:iam::123456789012:role/deploy in account 123456789012, region eu-central-1",
]
