import { expect, it } from "vitest"
import { growth } from "../../test/growth.ts"
import { redactAll, redactRow } from "./redact-row.ts"
import { scanRow } from "./scan-row.ts"
import { createScanner } from "./scanner.ts"

const scanner = createScanner({
  key: "test",
  owner: { home: "/home/alice", user: "alice" },
  known: [{ value: "known-value-7919", label: "key" }],
  patterns: [],
})

/**
 * What a pattern could read again and again: beginnings without ends, endless words, codings in codings, many lines.
 */
const hostile = [
  "a",
  " ",
  "\n",
  "\\",
  "%25",
  "&#",
  "\u001b[",
  "\u001b]",
  "\u200b",
  "a\u200b",
  "deadbeef0123",
  "sk-",
  "eyJ",
  "eyJabcdefgh.eyJab.",
  "xoxb-1-",
  "AKIAQ7XZQ7XZQ7X ",
  "password=",
  "secret_access_",
  "Bearer a1b2c3d4e5f6g7h8",
  "MAAAAAAAAAAAAAAAAAAAAAAA.AAAAAA.",
  "a://b:c",
  "https://user:pass@",
  "/home/",
  "C:\\Users\\",
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END ",
  "+a\n-b\n",
  "\n@@ ",
  "123456: x\n",
  "known-value-",
  "&amp;",
  "%C3%",
  "\u00a0",
  "a://b:c@d@",
  "| Password ",
  "${PASSWORD:",
  "value: a, name: ",
  "<key>a ",
  "password:\n ",
  "**password** is ",
  "```\n",
  "discord.com/ Slack.com/ ",
]

it.each(hostile)("time to scan repeated %j grows as the text does", async (piece) => {
  const scan = (size: number) => redactRow(scanRow(scanner, { text: piece.repeat(size / piece.length) }), redactAll)
  expect(await growth(scan, { small: 10_000, large: 100_000 })).toBeLessThan(40)
})
