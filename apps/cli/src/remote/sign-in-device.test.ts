import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { signInDevice } from "./sign-in-device.ts"

/** A server that answers the request for a code with `code`, and the next request with a token. */
async function serve(code: (url: string) => object): Promise<string> {
  const server = createServer((req, res) => {
    res.setHeader("content-type", "application/json")
    res.end(JSON.stringify(req.url?.endsWith("/token") ? { access_token: "t" } : code(url)))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

const codeOf = (url: string, changed: object = {}) => ({
  device_code: "d",
  user_code: "ABCD2345",
  expires_in: 60,
  interval: 0.001,
  verification_uri: `${url}/device`,
  verification_uri_complete: `${url}/device?user_code=ABCD2345`,
  ...changed,
})

async function signIn(url: string): Promise<{ said: string; token: string | null }> {
  let said = ""
  const say = (text: string) => {
    said += text
  }
  const token = await signInDevice(url, { say, signal: new AbortController().signal }).catch(() => null)
  return { said, token }
}

it("docket login prints the code and the page of the server", async () => {
  const url = await serve(codeOf)
  const { said, token } = await signIn(url)
  expect([said, token]).toEqual([
    expect.stringContaining(`the code ABCD2345:\n\n  ${url}/device?user_code=ABCD2345`),
    "t",
  ])
})

it("docket login prints no cursor movements or look-alike characters", async () => {
  const clear = "\u001b[2J\u001b[1;1H"
  for (const changed of [
    { user_code: `${clear}ABCD2345` },
    { user_code: "ABCD\nSigned in." },
    { user_code: "\u202E5432DCBA" },
    { user_code: "A".repeat(500) },
  ])
    expect([changed, await signIn(await serve((url) => codeOf(url, changed)))]).toEqual([
      changed,
      { said: "", token: null },
    ])
  const { said } = await signIn(
    await serve((url) => codeOf(url, { verification_uri_complete: `${url}/device?user_code=${clear}\u202E` })),
  )
  expect(said.replaceAll("\n", "")).not.toMatch(/[\p{C}]/u)
})
