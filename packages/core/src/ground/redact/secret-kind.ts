/** How one kind of secret reads. */
export interface SecretKind {
  id: string
  /** For people: "AWS access key". */
  label: string
  /** How it begins, exactly. */
  prefixes: readonly string[]
  /** The characters after the prefix, as the inside of a class of a regular expression. */
  body: string
  /** How many of them. */
  min: number
  max: number
  /** What the whole must look like besides. */
  accepts?: RegExp
}

const word = "A-Za-z0-9_"
const wordDash = "A-Za-z0-9_\\-"
const alnum = "A-Za-z0-9"
const hex = "a-fA-F0-9"

function kind(
  id: string,
  label: string,
  prefixes: string,
  [body, min, max]: [string, number, number],
  accepts?: RegExp,
): SecretKind {
  return { id, label, prefixes: prefixes.split(" "), body, min, max, ...(accepts && { accepts }) }
}

/** Of every version of its interface. */
const discordWebhooks = ["discord.com", "discordapp.com"]
  .flatMap((host) => ["", "/v6", "/v7", "/v8", "/v9", "/v10"].map((version) => `${host}/api${version}/webhooks/`))
  .join(" ")

/**
 * Secrets that are known by how they begin, from what their issuers publish. The longest form of a variable one is
 * generous: what follows a prefix like these is not prose.
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
