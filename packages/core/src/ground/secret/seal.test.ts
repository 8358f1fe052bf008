import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { createSeal } from "./seal.ts"
import { readSecretKey } from "./secret-key.ts"

const text = randomBytes(32).toString("base64")
const key = readSecretKey(text, "DOCKET_SECRET_KEY")
const place = { tenantID: "one", kind: "provider-key", name: "openai" }

test("a sealed value opens in its place and tells nothing", () => {
  const seal = createSeal(key.sealing)
  const value = { key: "sk-very-secret" }
  const [sealed, again] = [seal.close(place, value), seal.close(place, value)]
  expect(seal.open({ ...place, sealed })).toEqual(value)
  expect(again).not.toBe(sealed)
  expect(Buffer.from(sealed.slice(2), "base64").toString("latin1")).not.toContain("sk-very")
  // The key can be written with white space around it, as files have it.
  const other = createSeal(readSecretKey(` ${text}\n`, "DOCKET_SECRET_KEY").sealing)
  expect(other.open({ ...place, sealed })).toEqual(value)
})

test.each([
  ["another tenant", { tenantID: "two" }],
  ["another kind", { kind: "webhook" }],
  ["another name", { name: "anthropic" }],
  ["the service", { tenantID: "" }],
])("a row that was moved to %s does not open", (_, moved) => {
  const seal = createSeal(key.sealing)
  const sealed = seal.close(place, "sk-very-secret")
  const open = () => seal.open({ ...place, ...moved, sealed })
  expect(open).toThrow("does not open with DOCKET_SECRET_KEY")
  expect(open).not.toThrow("sk-very")
})

test("a changed or cut text, or another key, opens nothing", () => {
  const seal = createSeal(key.sealing)
  const sealed = seal.close(place, "sk-very-secret")
  const bytes = Buffer.from(sealed.slice(2), "base64")
  const open = (changed: string) => () => seal.open({ ...place, sealed: changed })
  for (const at of [0, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(open(`1:${changed.toString("base64")}`)).toThrow("does not open")
  }
  // Half a tag would be easier to guess.
  const cut = [
    sealed.slice(0, 20),
    "",
    sealed.slice(2),
    `2:${sealed.slice(2)}`,
    `1:${bytes.subarray(0, 20).toString("base64")}`,
  ]
  for (const changed of cut) expect(open(changed)).toThrow("does not open")
  const other = readSecretKey(randomBytes(32).toString("base64"), "DOCKET_SECRET_KEY")
  expect(() => createSeal(other.sealing).open({ ...place, sealed })).toThrow("does not open")
  expect(other.id).not.toBe(key.id)
})

test.each([
  ["too short", randomBytes(31).toString("base64")],
  ["too long", randomBytes(33).toString("base64")],
  ["with a wrong letter", text.replace(/^../, "*!")],
  ["of another alphabet", Buffer.alloc(32, 0xfb).toString("base64url")],
  ["empty", ""],
])("a key %s is refused without its value", (_, given) => {
  const read = () => readSecretKey(given, "DOCKET_SECRET_KEY_NEW")
  expect(read).toThrow("DOCKET_SECRET_KEY_NEW has to be 32 bytes in base64: openssl rand -base64 32")
  if (given !== "") expect(read).not.toThrow(given)
})
