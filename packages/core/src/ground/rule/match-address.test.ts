import { describe, expect, it } from "vitest"
import { allowsLocalAddress, matchAddress } from "./match-address.ts"
import { rulesFromConfig } from "./rules.ts"

describe("a pattern for addresses", () => {
  it.each([
    ["https://example.com/*", "https://example.com/a?b", true],
    ["https://example.com/*", "https://example.com/", true],
    ["https://example.com/*", "https://example.com.evil.net/", false],
    ["https://*.example.com/*", "https://a.example.com/x", true],
    ["https://*.example.com/*", "https://evil.net/a.example.com/x", false],
    ["https://*.example.com/*", "https://evil.net?.example.com/x", false],
    ["https://*", "https://evil.net/path", true],
    ["https://example.com", "https://example.com/", true],
    ["https://example.com", "https://example.com/path", false],
    ["http://example.com:80/*", "http://example.com/a", true],
    ["http*://example.com/*", "https://example.com/a", true],
    ["https://Wiki.Example.org/*", "https://wiki.example.org/a", true],
    ["https://bücher.de/ü/*", "https://xn--bcher-kva.de/%C3%BC/a", true],
    ["*", "https://anything.example/", true],
    ["*example.com*", "https://sub.example.com:8443/", true],
  ])("%s for %s: %s", (pattern, address, matches) => {
    expect(matchAddress(pattern, address)).toBe(matches)
  })
})

it.each([
  [{ webfetch: { "http://localhost:3000/*": "allow" } }, true],
  [{ webfetch: { "http://localhost:3000/*": "allow", "http://localhost:3000/a": "deny" } }, false],
  [{ webfetch: { "*": "allow" } }, false],
  [{ webfetch: { "http://localhost*": "allow" } }, false],
  ["allow", false],
] as const)("rules %o allow an address of this machine: %s", (config, allowed) => {
  const rules = rulesFromConfig(config)
  expect(allowsLocalAddress(new URL("http://localhost:3000/a"), [rules])).toBe(allowed)
  expect(allowsLocalAddress(new URL("http://localhost:3000/a"), [rules, rulesFromConfig("allow")])).toBe(false)
})
