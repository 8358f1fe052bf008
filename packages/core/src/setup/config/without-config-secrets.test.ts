import { expect, it } from "vitest"
import { withoutConfigSecrets } from "./without-config-secrets.ts"

it("a configuration's text loses keys, headers and comments, and names them", () => {
  const text = `{
    // "apiKey": "sk-of-before",
    "model": "lab/one",
    "provider": {
      "lab": {
        "npm": "@ai-sdk/openai-compatible",
        "options": {
          "baseURL": "https://ada:pw-of-ada@lab.example/v1",
          "apiKey": "sk-of-lab",
          "apiKey": "sk-of-lab-2",
          "headers": { "x-team": "team-of-lab", "x-org": "{env:ORG}" },
          "timeout": 5000,
        },
        "models": { "one": { "name": "One" } },
      },
    },
    "instructions": ["https://docs.example/?a=1", "https://ada:pw-of-ada@docs.example/"],
    "permission": { "read": { "*.key": "deny" } },
  }`
  const found = withoutConfigSecrets(text)
  expect(found?.text).not.toMatch(/-of-/)
  expect(JSON.parse(found?.text ?? "")).toEqual({
    model: "lab/one",
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: "https://(hidden)@lab.example/v1", headers: { "x-org": "{env:ORG}" }, timeout: 5000 },
        models: { one: { name: "One" } },
      },
    },
    instructions: ["https://docs.example/?a=1", "https://(hidden)@docs.example/"],
    permission: { read: { "*.key": "deny" } },
  })
  expect(found?.left.sort()).toEqual([
    "comments",
    "instructions",
    "provider.lab.options.apiKey",
    "provider.lab.options.baseURL",
    "provider.lab.options.headers.x-team",
  ])
})

it("what OpenCode gives its tool servers is left out", () => {
  const text = `{"mcp":{"tracker":{"url":"https://t.example","headers":{"x-a":"one"},"environment":{"B":"two"}}}}`
  expect(withoutConfigSecrets(text)).toEqual({
    text: `${JSON.stringify({ mcp: { tracker: { url: "https://t.example", headers: {}, environment: {} } } }, null, 2)}\n`,
    left: ["mcp.tracker.headers.x-a", "mcp.tracker.environment.B"],
  })
})

it("a configuration without secrets keeps its text", () => {
  const text = `{ "model":"lab/one",\n "provider": {"lab": {"options": {"apiKey": "{env:LAB_KEY}"}}}, }`
  expect(withoutConfigSecrets(text)).toEqual({ text, left: [] })
})

it.each(["", `{ "provider": { "lab": `, `{ "a": 1 } "sk-of-lab"`])(
  "a configuration that cannot be read gives no text: %j",
  (text) => {
    expect(withoutConfigSecrets(text)).toBeNull()
  },
)
