import { expect, test } from "vitest"
import { allowedAddress } from "./allowed-host.ts"

const to = (host: string, port = 443) => ({ host, port })

test.each([
  ["a listed host", ["8.8.8.8"], to("8.8.8.8"), "8.8.8.8"],
  ["a listed host on an unusual port", ["8.8.8.8"], to("8.8.8.8", 22), null],
  ["a listed host on its listed port", ["8.8.8.8:22"], to("8.8.8.8", 22), "8.8.8.8"],
  ["a listed host on another port than its listed one", ["8.8.8.8:22"], to("8.8.8.8", 443), null],
  ["another host", ["8.8.8.8"], to("8.8.4.4"), null],
  ["a private address that the list names", ["10.1.2.3"], to("10.1.2.3"), "10.1.2.3"],
  ["this machine, named without a port", ["127.0.0.1"], to("127.0.0.1", 80), null],
  ["this machine, named with its port", ["127.0.0.1:8080"], to("127.0.0.1", 8080), "127.0.0.1"],
  ["a name that leads to this machine", ["localhost"], to("localhost", 80), null],
  ["a cloud's metadata", ["169.254.169.254"], to("169.254.169.254", 80), null],
  ["a name that does not exist", ["*.invalid"], to("example.invalid"), null],
  ["the name above a wildcard", ["*.8.8"], to("8.8"), null],
  ["any host while the list is empty", [], to("8.8.8.8"), null],
])("connecting to %s is judged by the list", async (_, allowed, destination, address) => {
  expect(await allowedAddress(allowed, destination)).toBe(address)
})
