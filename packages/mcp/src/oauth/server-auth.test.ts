import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createSecretFile } from "@docket/core/secret-file"
import { expect, onTestFinished, test } from "vitest"
import { createServerAuth } from "./server-auth.ts"
import { createSignInStore } from "./sign-in-store.ts"

test("a refresh token goes to no other authorization server", async () => {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "docket-server-auth-"))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const url = new URL("https://crm.example.com/mcp")
  const key = { server: "crm", url: url.href, projectID: null, person: null }
  const store = createSignInStore(createSecretFile({ dataDirectory }), key)
  const issuer = "https://first.example.com"
  await store.update({
    client: { client_id: "docket", issuer },
    tokens: { access_token: "a", refresh_token: "r", token_type: "Bearer", issuer },
    expiresAt: 0,
    discovery: { authorizationServerUrl: "https://second.example.com" },
  })
  const asked: string[] = []
  const fetch = async (address: string | URL) => {
    asked.push(String(address))
    return new Response("{}")
  }
  const deps = { store, clock: () => 1, refreshing: new Map<string, Promise<void>>(), fetch }
  const auth = createServerAuth(deps, { server: "crm", url, config: {} })
  await expect(auth.token()).rejects.toThrow("it signs in at another place now (https://second.example.com)")
  expect(asked).toEqual([])
})
