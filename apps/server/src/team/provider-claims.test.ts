import { createServer, type RequestListener } from "node:http"
import { createGuardedCall } from "@docket/core"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { expect, it, onTestFinished } from "vitest"
import { listen } from "../listen.ts"
import { claimsOf, exchangeCode } from "./provider-claims.ts"

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on("connection", () => connections++)
  const url = await listen(server, "127.0.0.1", 0)
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()))
  return { url, connections: () => connections }
}

const issuer = "https://id.example.org"
const client = { issuer, clientId: "docket", clientSecret: "sesame", name: "Example" }
const given = { code: "code", codeVerifier: "verifier", redirectURI: "https://docket.example.org/sign-in/example" }
const strict = createGuardedCall()
const open = createGuardedCall({ isAllowed: () => true, allowsHTTP: true })

const endpointsAt = (url: string) => ({
  issuer,
  authorization_endpoint: `${url}/auth`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  userinfo_endpoint: `${url}/userinfo`,
})

const keys = await generateKeyPair("RS256")
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), alg: "RS256", kid: "1" }] }
const idToken = await new SignJWT({ sub: "1" })
  .setProtectedHeader({ alg: "RS256", kid: "1" })
  .setIssuer(issuer)
  .setAudience("docket")
  .setExpirationTime("1h")
  .sign(keys.privateKey)

it("codes, secrets and tokens never go to local or unencrypted endpoints", async () => {
  const inner = await serve((_, response) => response.end("{}"))
  for (const url of [inner.url, inner.url.replace("http:", "https:")]) {
    const moved = { endpoints: endpointsAt(url), call: strict }
    await expect(exchangeCode(moved, client, given)).rejects.toThrow("not on the public internet")
    await expect(claimsOf(moved, client, { idToken, accessToken: "t" })).rejects.toThrow("not on the public internet")
  }
  expect(inner.connections()).toBe(0)
})

it("redirects of an endpoint are not followed", async () => {
  const other = await serve((_, response) => response.end("{}"))
  const server = await serve(({ url }, response) => {
    if (url === "/jwks") response.end(JSON.stringify(jwks))
    else response.writeHead(307, { location: other.url }).end()
  })
  const provider = { endpoints: endpointsAt(server.url), call: open }
  await expect(exchangeCode(provider, client, given)).rejects.toThrow("answered 307")
  await expect(claimsOf(provider, client, { idToken, accessToken: "t" })).rejects.toThrow("answered 307")
  expect(other.connections()).toBe(0)
})

it("a code is exchanged for tokens; the refresh token is dropped", async () => {
  const bodies: string[] = []
  const server = await serve(async (request, response) => {
    for await (const chunk of request.setEncoding("utf8")) bodies.push(String(chunk))
    response.end(JSON.stringify({ access_token: "a", refresh_token: "r", id_token: idToken, token_type: "Bearer" }))
  })
  const provider = { endpoints: endpointsAt(server.url), call: open }
  expect(await exchangeCode(provider, client, given)).toEqual({ accessToken: "a", idToken })
  expect(Object.fromEntries(new URLSearchParams(bodies.join("")))).toEqual({
    grant_type: "authorization_code",
    code: "code",
    code_verifier: "verifier",
    redirect_uri: given.redirectURI,
    client_id: "docket",
    client_secret: "sesame",
  })
})
