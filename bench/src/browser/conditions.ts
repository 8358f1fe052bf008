import type { BrowserContextOptions, CDPSession } from "@playwright/test"

/** A machine and its network, as the browser emulates them. */
export interface Conditions {
  words: string
  context: BrowserContextOptions
  apply(session: CDPSession): Promise<void>
}

/** A header that a proxy adds for remote readers: without it the service treats every request as local. */
const far = { "x-forwarded-for": "203.0.113.7" }

export const phone: Conditions = {
  words: "phone: 390 × 844, processor ÷ 4, 1.6 Mb/s, 150 ms",
  context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, extraHTTPHeaders: far },
  async apply(session) {
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 })
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
  },
}

export const desktop: Conditions = {
  words: "desktop: 1440 × 900, the service on the same machine",
  context: { viewport: { width: 1440, height: 900 } },
  apply: async () => {},
}
