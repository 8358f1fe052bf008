import { expect, test } from "vitest"
import { allowedAddress } from "./allowed-host.ts"

const to = (host: string, port = 443) => ({ host, port })

test.each([
  ["a host of the list", ["8.8.8.8"], to("8.8.8.8"), "8.8.8.8"],
  ["on another port than the usual ones", ["8.8.8.8"], to("8.8.8.8", 22), null],
  ["on the port that the list names", ["8.8.8.8:22"], to("8.8.8.8", 22), "8.8.8.8"],
  ["and on no other", ["8.8.8.8:22"], to("8.8.8.8", 443), null],
  ["another host", ["8.8.8.8"], to("8.8.4.4"), null],
  ["a private address that the list names", ["10.1.2.3"], to("10.1.2.3"), "10.1.2.3"],
  ["this machine, named without a port", ["127.0.0.1"], to("127.0.0.1", 80), null],
  ["this machine, named with its port", ["127.0.0.1:8080"], to("127.0.0.1", 8080), "127.0.0.1"],
  ["a name that leads to this machine", ["localhost"], to("localhost", 80), null],
  ["a cloud's metadata", ["169.254.169.254"], to("169.254.169.254", 80), null],
  ["a name that there is not", ["*.invalid"], to("example.invalid"), null],
  ["the name above a wildcard", ["*.8.8"], to("8.8"), null],
  ["an empty list", [], to("8.8.8.8"), null],
])("%s", async (_, allowed, destination, address) => {
  expect(await allowedAddress(allowed, destination)).toBe(address)
})
