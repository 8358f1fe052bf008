import { type DecodedText, lastAtMost } from "./decoded-text.ts"
import { escaped } from "./escaped.ts"
import type { Hit } from "./hit.ts"

/** The form of one kind of secret. */
interface SecretKind {
  id: string
  /** For people: "AWS access key". */
  label: string
  /** The exact beginnings of such a secret. */
  prefixes: readonly string[]
  /** The characters after the prefix, as the inside of a class of a regular expression. */
  body: string
  /** Fewest characters after the prefix. */
  min: number
  max: number
  /** A pattern that the whole secret must match as well. */
  accepts?: RegExp
}

/** Finds secrets of known kinds in a view whose lines are joined. */
export function findKinds(view: DecodedText): Hit[] {
  const hits: Hit[] = []
  const runEnd = createRuns(view.text)
  for (const { start, kind, prefix } of beginnings(view)) {
    const stop = endOf(view, { start, kind, prefix }, runEnd(kind, start + prefix.length))
    if (stop === null) continue
    const end = withoutFullStop(view.text, { enough: start + prefix.length + kind.min, stop })
    const secret = view.text.slice(start, end)
    if (kind.accepts && !kind.accepts.test(secret)) continue
    hits.push({ rule: kind.id, label: kind.label, start: view.from(start), end: view.to(end), secret })
  }
  return hits
}

interface Beginning {
  start: number
  kind: SecretKind
  prefix: string
}

function* beginnings(view: DecodedText): Generator<Beginning> {
  for (const { index: start, 0: prefix } of view.text.matchAll(begins)) {
    const kind = kindOf.get(prefix)
    if (kind !== undefined && beginsWord(view, start)) yield { start, kind, prefix }
  }
}

function beginsWord(view: DecodedText, start: number): boolean {
  const before = view.text[start - 1]
  // A prefix such as `/share/` or `.webhook.office.com` stands behind a word.
  if (/[/.]/.test(view.text[start] ?? "")) return true
  return !before || !/[A-Za-z0-9]/.test(before) || view.from(start) !== view.to(start)
}

/** Finds the end of a run of characters of a kind. Each run is read once, however many prefixes it contains. */
function createRuns(text: string): (kind: SecretKind, from: number) => number {
  const ends = new Map<RegExp, number>()
  return (kind, from) => {
    const body = bodies.get(kind)
    if (body === undefined) return from
    const known = ends.get(body) ?? -1
    body.lastIndex = from
    const end = from < known ? known : from + (body.exec(text)?.[0].length ?? 0)
    ends.set(body, end)
    return Math.min(end, from + kind.max)
  }
}

/**
 * The end of the secret. Usually this is the end of its run of characters. Where lines were joined, it is the end of
 * the first line in which the secret is long enough and after which a line begins with a word. Null when the secret is
 * too short, or continues as no such secret does.
 */
function endOf(view: DecodedText, { start, kind, prefix }: Beginning, run: number): number | null {
  const from = start + prefix.length
  const enough = from + kind.min
  if (run < enough) return null
  if (kind.min === kind.max) {
    const next = view.text[enough]
    const goesOn = next !== undefined && new RegExp(`[${kind.body}]`).test(next) && !isSeam(view, enough)
    return goesOn ? null : enough
  }
  return endOfLines(view, { start, kind, enough, run })
}

/** Where the secret ends in a run of characters that goes over joined lines. */
function endOfLines(
  view: DecodedText,
  { start, kind, enough, run }: Omit<Beginning, "prefix"> & { enough: number; run: number },
) {
  for (let nth = lastAtMost(view.seams, start) + 1; nth < view.seams.length; nth++) {
    const seam = view.seams[nth] ?? run
    if (seam >= run) return run
    const next = Math.min(view.seams[nth + 1] ?? run, run)
    const isWhole = seam >= enough && kind.accepts?.test(view.text.slice(start, seam)) !== false
    if (isWhole && plainWord.test(view.text.slice(seam, next))) return seam
  }
  return run
}

/** The first characters of a line when they are a word, a number or signs, and so no part of a secret. */
export const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,4}|\W+)$/

function isSeam(view: DecodedText, index: number): boolean {
  return view.seams[lastAtMost(view.seams, index)] === index
}

/** Leaves out a dot that ends a sentence: white space, or nothing, follows it. */
function withoutFullStop(text: string, { enough, stop }: { enough: number; stop: number }): number {
  const endsSentence = text[stop - 1] === "." && /^(?:\s|$)/.test(text.slice(stop, stop + 1))
  return stop > enough && endsSentence ? stop - 1 : stop
}

/** A secret that begins in a view and may go on behind its end. */
interface OpenKind {
  start: number
  prefix: string
  /** The number of its complete characters, prefix included. */
  length: number
}

/** The first secret of a known kind that the end of the view may cut off. */
export function openKind(view: DecodedText): OpenKind | null {
  if (!mayHoldKind(view.text)) return null
  const runEnd = createRuns(view.text)
  for (const { start, kind, prefix } of beginnings(view)) {
    const end = runEnd(kind, start + prefix.length)
    if (end === view.text.length && end - start <= prefix.length + kind.max)
      return { start, prefix, length: end - start }
  }
  return null
}

/** The position where the text ends with the first part of a prefix; its length when it does not. */
export function openPrefix(text: string): number {
  for (let length = Math.min(longestPrefix - 1, text.length); length > 0; length--)
    if (firstParts.has(text.slice(text.length - length))) return text.length - length
  return text.length
}

/** Whether the text may contain a secret of a known kind. */
export function mayHoldKind(text: string): boolean {
  return hasBeginning.test(text)
}

/** The position where the first secret of a known kind may begin; the length of the text when there is none. */
export function firstKindAt(text: string): number {
  return hasBeginning.exec(text)?.index ?? text.length
}

const word = "A-Za-z0-9_"
const wordDash = "A-Za-z0-9_\\-"
const alnum = "A-Za-z0-9"
const hex = "a-fA-F0-9"

/** The addresses of every version of the interface. */
const discordWebhooks = ["discord.com", "discordapp.com"]
  .flatMap((host) => ["", "/v6", "/v7", "/v8", "/v9", "/v10"].map((version) => `${host}/api${version}/webhooks/`))
  .join(" ")

/**
 * Secrets that are known by their beginnings, as their issuers publish them. Where lengths vary, `max` is generous,
 * because prose never follows such a prefix.
 */
export const secretKinds: readonly SecretKind[] = [
  kind("aws-access-key", "AWS access key", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", ["A-Z0-9", 16, 16]),
  kind("github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", [`${word}.\\-`, 36, 600]),
  kind("github-fine-grained-token", "GitHub token", "github_pat_", [word, 36, 120]),
  kind("gitlab-token", "GitLab token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft-", [`${wordDash}.`, 20, 300]),
  kind("slack-token", "Slack token", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xapp- xoxe-", [`${alnum}\\-`, 20, 250]),
  kind(
    "slack-webhook",
    "Slack webhook",
    "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ hooks.slack-gov.com/services/",
    [`${alnum}/`, 30, 160],
  ),
  kind("discord-webhook", "Discord webhook", discordWebhooks, [`${wordDash}/`, 24, 160], /\/\d{5,22}\/[\w-]{16,}/),
  kind(
    "teams-webhook",
    "Teams webhook",
    ".webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/",
    [`${wordDash}@/`, 60, 400],
  ),
  kind("anthropic-key", "Anthropic API key", "sk-ant-", [wordDash, 40, 200]),
  kind("openai-project-key", "OpenAI API key", "sk-proj- sk-svcacct- sk-admin-", [wordDash, 40, 260]),
  kind("openrouter-key", "OpenRouter API key", "sk-or-v1-", [hex, 40, 80]),
  kind("openai-key", "API key", "sk-", [alnum, 32, 80], /\d/),
  kind("stripe-key", "Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", [alnum, 24, 255]),
  kind("google-api-key", "Google API key", "AIza", [wordDash, 35, 35]),
  kind("google-oauth-token", "Google OAuth token", "ya29.", [wordDash, 30, 500]),
  kind("google-client-secret", "Google client secret", "GOCSPX-", [wordDash, 20, 40]),
  kind("npm-token", "npm token", "npm_", [alnum, 36, 36]),
  kind("pypi-token", "PyPI token", "pypi-AgE", [wordDash, 50, 300]),
  kind("rubygems-key", "RubyGems key", "rubygems_", [hex, 48, 48]),
  kind("sendgrid-key", "SendGrid API key", "SG.", [`${wordDash}.`, 40, 120], /^SG\.[\w-]{16,}\.[\w-]{16,}$/),
  kind("mailgun-key", "Mailgun key", "key-", ["a-f0-9", 32, 32]),
  kind("twilio-key", "Twilio API key", "SK", ["a-f0-9", 32, 32]),
  kind(
    "json-web-token",
    "JSON web token",
    "eyJ",
    [`${wordDash}.`, 40, 6_000],
    /^eyJ[\w-]{8,}\.eyJ[\w-]{6,}\.[\w-]{10,}/,
  ),
  kind("hugging-face-token", "Hugging Face token", "hf_", [alnum, 30, 40]),
  kind("groq-key", "Groq API key", "gsk_", [alnum, 40, 60]),
  kind("xai-key", "xAI API key", "xai-", [alnum, 60, 100]),
  kind("perplexity-key", "Perplexity API key", "pplx-", [alnum, 40, 60]),
  kind("replicate-token", "Replicate token", "r8_", [alnum, 36, 40]),
  kind("linear-key", "Linear API key", "lin_api_ lin_oauth_", [word, 32, 128]),
  kind("notion-token", "Notion token", "ntn_", [alnum, 40, 60]),
  kind("shopify-token", "Shopify token", "shpat_ shpca_ shppa_ shpss_", [alnum, 32, 64]),
  kind("grafana-token", "Grafana token", "glc_ glsa_", [`${word}+/=`, 32, 400]),
  kind("1password-token", "1Password token", "ops_ey", [`${alnum}+/=`, 100, 1_300]),
  kind("vault-token", "Vault token", "hvs. hvb. hvr.", [wordDash, 24, 300]),
  kind("vercel-token", "Vercel token", "vcp_ vci_ vca_ vcr_ vck_", [alnum, 20, 60]),
  kind("databricks-token", "Databricks token", "dapi", [`${hex}\\-`, 32, 36], /^dapi[a-f0-9]{32}(?:-\d)?$/i),
  kind("docker-token", "Docker token", "dckr_pat_ dckr_oat_", [wordDash, 27, 40]),
  kind("figma-token", "Figma token", "figd_", [wordDash, 40, 200]),
  kind("cloudflare-token", "Cloudflare token", "cfk_ cfut_ cfat_", [alnum, 40, 60]),
  kind("tailscale-key", "Tailscale key", "tskey-", [wordDash, 24, 120]),
  kind("digitalocean-token", "DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", ["a-f0-9", 64, 64]),
  kind("sentry-token", "Sentry token", "sntrys_ sntryu_", [`${word}+/=`, 40, 400]),
  kind("supabase-token", "Supabase token", "sbp_ sb_secret_", [word, 30, 60]),
  kind("atlassian-token", "Atlassian token", "ATATT3 ATCTT3", [`${wordDash}=`, 60, 300]),
  kind("square-token", "Square token", "sq0csp- sq0atp-", [wordDash, 22, 60]),
  kind("new-relic-key", "New Relic key", "NRAK-", ["A-Z0-9", 27, 27]),
  kind("doppler-token", "Doppler token", "dp.pt. dp.st.", [`${alnum}.`, 40, 80]),
  kind("planetscale-token", "PlanetScale token", "pscale_tkn_ pscale_pw_", [wordDash, 30, 60]),
  kind("postman-key", "Postman key", "PMAK-", [`${hex}\\-`, 55, 60]),
  kind("age-key", "age key", "AGE-SECRET-KEY-1", ["A-Z0-9", 58, 58]),
  kind("azure-storage-key", "Azure storage key", "AccountKey=", [`${alnum}+/=`, 80, 90]),
  kind("docket-token", "Docket token", "atr_", ["a-f0-9", 64, 64]),
  kind("docket-share-link", "Docket share link", "/share/", [wordDash, 22, 22]),
]

function kind(
  id: string,
  label: string,
  prefixes: string,
  [body, min, max]: [string, number, number],
  accepts?: RegExp,
): SecretKind {
  return { id, label, prefixes: prefixes.split(" "), body, min, max, ...(accepts && { accepts }) }
}

const kindOf = new Map(secretKinds.flatMap((kind) => kind.prefixes.map((prefix) => [prefix, kind] as const)))
// Longest first: `sk-ant-` before `sk-`.
const prefixes = [...kindOf.keys()].sort((left, right) => right.length - left.length)
const longestPrefix = prefixes[0]?.length ?? 0
/** All beginnings of prefixes that are not yet a whole prefix. */
const firstParts = new Set(prefixes.flatMap((prefix) => Array.from(prefix, (_, length) => prefix.slice(0, length))))
const anyPrefix = prefixes.map(escaped).join("|")
const begins = new RegExp(anyPrefix, "g")
const hasBeginning = new RegExp(anyPrefix)
const bodies = new Map(secretKinds.map((kind) => [kind, new RegExp(`[${kind.body}]*`, "y")]))
