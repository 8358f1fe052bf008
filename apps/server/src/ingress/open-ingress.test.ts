import { expect, it } from "vitest"
import { parseOptions, type ReachOptions } from "../options.ts"
import { isLoopback } from "./is-loopback.ts"
import { openIngress } from "./open-ingress.ts"

const plain: ReachOptions = { tls: null, trustProxy: [], insecureHttp: false }
const open = (publicUrl: string | null, host: string, reach?: Partial<ReachOptions>) => {
  const reported: string[] = []
  const options = { host, ...(publicUrl !== null && { publicUrl }), ...(reach && { reach: { ...plain, ...reach } }) }
  return openIngress(options, { report: (phase) => reported.push(phase) }).then(
    (opened) => ({ opened, reported, code: null, message: "" }),
    ({ code, message }) => ({ opened: null, reported, code, message }),
  )
}

it.each([
  ["0.0.0.0", undefined],
  ["10.0.0.1", undefined],
  ["::", undefined],
  ["127.0.0.1", { insecureHttp: true }],
  ["127.0.0.1", { trustProxy: ["127.0.0.1"] }],
])("without a team, %s with %o is refused as unsafe", async (host, reach) => {
  const { code, message } = await open(null, host, reach)
  expect(code).toBe("unsafe_bind")
  expect(message).toContain("docket team init --url")
})

it.each([
  ["https://docket.example.org", "0.0.0.0", undefined, "say who speaks TLS"],
  ["https://docket.example.org", "127.0.0.1", undefined, "say who speaks TLS"],
  ["https://docket.example.org", "0.0.0.0", { insecureHttp: true }, "leave out --insecure-http"],
  ["http://docket.example.org", "0.0.0.0", undefined, "in the clear"],
  ["http://docket.example.org", "127.0.0.1", { trustProxy: ["127.0.0.1"] }, "in the clear"],
  ["http://localhost:4180", "0.0.0.0", undefined, "in the clear"],
  ["http://docket.example.org", "0.0.0.0", { tls: { cert: "a", key: "b" } }, "give it an https:// address"],
])("the team's address %s on %s with %o is refused", async (url, host, reach, words) => {
  const { code, message } = await open(url, host, reach)
  expect([code, message]).toEqual(["config_invalid", expect.stringContaining(words)])
})

it.each(["https://docket.example.org", "http://docket.example.org"])(
  "a worker of the team at %s serves its own machine",
  async (publicUrl) => {
    const reported: string[] = []
    const deps = { report: (phase: string) => void reported.push(phase) }
    const node = (role: "web" | "worker") => ({ host: "127.0.0.1", publicUrl, node: { role, storage: null } })
    const { ingress } = await openIngress(node("worker"), deps)
    expect([ingress.isExposed, reported]).toEqual([false, []])
    await expect(openIngress({ ...node("worker"), host: "0.0.0.0" }, deps)).rejects.toThrow()
    await expect(openIngress(node("web"), deps)).rejects.toThrow()
  },
)

it("unencrypted access is reported at startup and to pages", async () => {
  const { opened, reported } = await open("http://docket.example.org", "0.0.0.0", { insecureHttp: true })
  expect(opened?.ingress.isExposed).toBe(true)
  expect(reported.join()).toContain("in the clear")
  const own = await open("http://localhost:4180", "127.0.0.1")
  expect([own.opened?.ingress.isExposed, own.reported]).toEqual([false, []])
})

it.each([
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://[::1]:80"],
  ["10.0.0.1", "http://10.0.0.1:80"],
  ["fd00::1", "http://[fd00::1]:80"],
])("local programs get the address of a service on %s", async (host, origin) => {
  const { opened } = await open("https://docket.example.org", host, { trustProxy: ["10.0.0.7"] })
  const bound = `http://${host.includes(":") ? `[${host}]` : host}:80`
  expect(new URL(opened?.listensOn(bound) ?? "").href).toBe(new URL(origin).href)
})

it.each(["127.0.0.1", "127.1.2.3", "::1"])("%s counts as this machine's own address", (host) => {
  expect(isLoopback(host)).toBe(true)
})

it.each(["127.0.0.1.example.org", "127.example.org", "10.0.0.1", "::ffff:10.0.0.1"])(
  "%s counts as another machine's address",
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)

it.each([
  [["--tls-cert", "a.pem"], "belong together"],
  [["--trust-proxy", "proxy.example.org"], "takes addresses and networks"],
  [["--trust-proxy", "0.0.0.0/0"], "takes addresses and networks"],
  [["--trust-proxy", "10.0.0.1/33"], "takes addresses and networks"],
  [["--trust-proxy", ""], "takes addresses and networks"],
  [["--host", "docket.example.org"], "must be an address"],
  [["--host", "fe80::1%eth0"], "must be an address"],
])("the options %j are refused", (args, words) => {
  expect(() => parseOptions(args, "/")).toThrow(expect.objectContaining({ code: "invalid_input" }))
  expect(() => parseOptions(args, "/")).toThrow(words)
})
