import { expect, it } from "vitest"
import { scrubEnv } from "./scrub-env.ts"

it("takes secrets out and leaves what programs need", () => {
  const secret = {
    ANTHROPIC_API_KEY: "x",
    OPENAI_API_KEY_2: "x",
    GITHUB_TOKEN: "x",
    npm_config__authToken: "x",
    AWS_ACCESS_KEY_ID: "x",
    AWS_SECRET_ACCESS_KEY: "x",
    GOOGLE_APPLICATION_CREDENTIALS: "/k.json",
    PGPASSWORD: "x",
    DATABASE_URL: "postgres://x",
    REDIS_URL: "redis://user:pass@host/0",
    DOCKET_TOKEN_FILE: "/x",
    NODE_ENV: "production",
    npm_lifecycle_event: "start",
  }
  const kept = {
    PATH: "/bin",
    HOME: "/root",
    SSH_AUTH_SOCK: "/s",
    HTTPS_PROXY: "http://user:pass@proxy:8080",
    npm_config_registry: "https://example.test",
    KEYBOARD: "de",
    GOPATH: "/go",
    SITE: "https://example.test/a",
  }
  expect(scrubEnv({ ...secret, ...kept, NONE: undefined })).toEqual(kept)
  expect(scrubEnv(secret, { keep: ["GITHUB_TOKEN"] })).toEqual({ GITHUB_TOKEN: "x" })
})
