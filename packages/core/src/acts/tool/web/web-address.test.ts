import { expect, it } from "vitest"
import { readAddress } from "./web-address.ts"

it.each([
  ["https://Example.COM:443/%61dmin/../%7Eme?q=1#part", "https://example.com/~me?q=1"],
  ["http://bücher.example/", "http://xn--bcher-kva.example/"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
  [" https://example.com/%2Fa%2e%2e ", "https://example.com/%2Fa.."],
])("%s is read as %s", (text, address) => {
  expect(readAddress(text).href).toBe(address)
})

it.each([
  ["example.com", "is no address"],
  ["file:///etc/passwd", "Only http and https"],
  ["https://me:secret@example.com/", "user name or password"],
])("%s is refused", (text, message) => {
  expect(() => readAddress(text)).toThrow(message)
})

it("a final dot of a host is left out, a wildcard refused", () => {
  expect(readAddress("https://intern.example.com./x").href).toBe("https://intern.example.com/x")
  expect(() => readAddress("https://*/x")).toThrow("holds a wildcard")
})
