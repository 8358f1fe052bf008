import { expect, it } from "vitest"
import { ProviderSettings, providersOf, withSecrets } from "./provider-settings.ts"

const example = { id: "example", name: "Example", issuer: "https://id.example.org", clientId: "docket" }

it("an environment secret overrides the file; a missing one is reported", () => {
  const settings = ProviderSettings.parse({
    oidc: [
      { ...example, clientSecret: "of the file" },
      { ...example, id: "two-words" },
    ],
    github: { clientId: "g" },
  })
  expect(() => withSecrets(settings, {})).toThrow("DOCKET_TWO_WORDS_CLIENT_SECRET")
  const secrets = { DOCKET_TWO_WORDS_CLIENT_SECRET: "two", DOCKET_GITHUB_CLIENT_SECRET: "hub" }
  const filled = withSecrets(settings, secrets)
  expect(filled.oidc.map(({ clientSecret }) => clientSecret)).toEqual(["of the file", "two"])
  expect(filled.github?.clientSecret).toBe("hub")
  const both = withSecrets(settings, { ...secrets, DOCKET_EXAMPLE_CLIENT_SECRET: "of the environment" })
  expect(both.oidc[0]?.clientSecret).toBe("of the environment")
})

it("the login page gets provider names and no secrets", () => {
  const settings = ProviderSettings.parse({ oidc: [{ ...example, clientSecret: "s" }], google: { clientId: "g" } })
  expect(providersOf(settings)).toEqual([
    { id: "example", name: "Example" },
    { id: "google", name: "Google" },
  ])
})

it("duplicate provider ids and ids that are invalid in addresses are refused", () => {
  for (const oidc of [[example, example], [{ ...example, id: "../x" }], [{ ...example, id: "github" }]])
    expect(ProviderSettings.safeParse({ oidc }).success).toBe(false)
  expect(ProviderSettings.safeParse({ oidc: [{ ...example, issuer: "file:///etc/passwd" }] }).success).toBe(false)
})
