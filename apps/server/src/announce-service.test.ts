import { expect, it } from "vitest"
import { announceService } from "./announce-service.ts"

const address = {
  url: "http://127.0.0.1:1",
  loginUrl: "http://127.0.0.1:1/login#code",
  greeting: "Sign in",
  tokenFile: "/data/token",
}

/** A service whose web app loads until the test says otherwise. */
function announced(options: { json: boolean; webFollows?: boolean }) {
  const web = Promise.withResolvers<void>()
  const stop = new AbortController()
  const lines: string[] = []
  const done = announceService(
    { ...address, webReady: web.promise },
    { web: true, webFollows: false, ...options, signal: stop.signal },
    {
      print: (text) => lines.push(text.trim()),
      report: (phase) => lines.push(phase),
      log: (text) => lines.push(text),
    },
  )
  return { web, stop, lines, done }
}

it("people get the login link as last line once pages are served", async () => {
  const { web, lines, done } = announced({ json: false })
  expect(lines).toEqual([])
  web.resolve()
  await done
  expect(lines.at(0)).toBe("web app ready")
  expect(lines.at(-1)).toContain(address.loginUrl)
})

it("people get the login link before the web app is built", async () => {
  const { web, lines, done } = announced({ json: false, webFollows: true })
  expect(lines).toEqual([expect.stringContaining(address.loginUrl)])
  web.resolve()
  await done
  expect(lines.slice(1)).toEqual(["web app ready"])
})

it("programs get the address at once, before the web app is ready", async () => {
  const { web, lines, done } = announced({ json: true })
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    url: address.url,
    loginUrl: address.loginUrl,
    tokenFile: address.tokenFile,
    pid: process.pid,
  })
  web.resolve()
  await done
  expect(lines.slice(1)).toEqual(["web app ready"])
})

it("the service announces its API without a web app, nothing after stopping", async () => {
  const broken = announced({ json: false })
  broken.web.reject(new Error("no build"))
  await broken.done
  expect(broken.lines[0]).toContain("could not be loaded")
  expect(broken.lines.at(-1)).toContain(address.tokenFile)
  const stopped = announced({ json: false })
  stopped.stop.abort()
  stopped.web.resolve()
  await stopped.done
  expect(stopped.lines).toEqual([])
})
