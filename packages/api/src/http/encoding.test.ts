import { expect, it } from "vitest"
import { chooseEncoding } from "./encoding.ts"

it.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["deflate, zstd", null],
  ["gzip", "gzip"],
  ["GZip, Deflate", "gzip"],
  ["gzip, deflate, br", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["br; q=0, gzip;q=0.1", "gzip"],
  ["*", "br"],
  ["gzip;q=0, *", "br"],
  ["*;q=0", null],
  ["br;q=nonsense", null],
])("the encoding for Accept-Encoding %j is %j", (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})
