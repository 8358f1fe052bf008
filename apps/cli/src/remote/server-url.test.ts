import { expect, it } from "vitest"
import { isInTheClear, readServerUrl } from "./server-url.ts"

it("server addresses are read; one without a scheme means HTTPS", () => {
  expect(readServerUrl("https://docket.example.org/")).toBe("https://docket.example.org")
  expect(readServerUrl("docket.example.org")).toBe("https://docket.example.org")
  expect(readServerUrl("http://10.0.0.7:4180")).toBe("http://10.0.0.7:4180")
})

it("a server address that is no HTTP or HTTPS origin is refused", () => {
  for (const text of ["", "https://x.org/path", "https://user@x.org", "ftp://x.org", "https://x.org/?q", "https://"])
    expect(() => readServerUrl(text)).toThrow("--server is like https://docket.example.org")
})

it("only plain HTTP to another machine counts as readable in transit", () => {
  const urls = ["http://docket.example.org", "http://10.0.0.7:4180", "http://127.0.0.1.example.org"]
  expect(urls.filter((url) => !isInTheClear(url))).toEqual([])
  const safe = ["https://docket.example.org", "http://localhost:4180", "http://127.0.0.1:4180", "http://[::1]:4180"]
  expect(safe.filter(isInTheClear)).toEqual([])
})
