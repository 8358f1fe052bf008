import { rules } from "@secretlint/secretlint-rule-preset-recommend"
import type { SecretLintRuleCreator, SecretLintRuleReportHandler, SecretLintSourceCode } from "@secretlint/types"
import type { DecodedText } from "./decoded-text.ts"
import type { Hit } from "./hit.ts"

/** Texts to which the rules of secretlint's preset may apply, besides secrets with a known prefix. */
const mayApply =
  /secret|SECRET|Secret|account|ACCOUNT|Account|_authToken|private_key|PRIVATE KEY|x-oauth-basic|:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@|T3BlbkFJ/

/** The labels of the rules for people, by the last word of the rule id. */
const labels: Readonly<Record<string, string>> = {
  aws: "AWS secret",
  gcp: "Google service account",
  privatekey: "private key",
  npm: "npm token",
  basicauth: "password in a URL",
  "database-connection-string": "password in a URL",
}

/** User and password in a URL: only these are hidden, not the host. */
const credentialsOfURL = /:\/\/([^/\s@]+:[^/\s@]+)@/
/** The value at the end of a reported text, without the name before it. */
const valueAtEnd = /^[\s\S]*?[=:]\s*["']?([^"'\s=:][^"'\s]{15,})["']?$/

type Report = (messageID: string, range: readonly [start: number, end: number]) => void

interface Rule {
  id: string
  handler: SecretLintRuleReportHandler
  report: { current: Report }
}

/**
 * The rules that report secrets. The rule that obeys comments like `secretlint-disable` is left out, because with it
 * the author of a text could switch the scan off.
 */
const presetRules: readonly Rule[] = rules.filter(({ meta }) => !meta.id.endsWith("filter-comments")).map(openRule)

export const presetRuleIDs: readonly string[] = presetRules.map(({ id }) => id)

/** Finds secrets by secretlint's recommended rules. `isLikely`: another check has already found that they may apply. */
export function findByPreset(view: DecodedText, isLikely: boolean): Hit[] {
  if (!isLikely && !mayApply.test(view.text)) return []
  const source = sourceOf(view.text)
  const hits: Hit[] = []
  for (const { id, handler, report } of presetRules) {
    report.current = (messageID, [start, end]) => {
      // An account number opens nothing, and stands in every ARN.
      if (messageID === "AWSAccountID") return
      const [from, to] = secretIn(view.text, start, end)
      const secret = view.text.slice(from, to)
      const label = labels[id] ?? `${id} secret`
      hits.push({ rule: id, label, start: view.from(from), end: view.to(to), secret })
    }
    void handler.file?.(source)
  }
  return hits
}

function openRule(creator: SecretLintRuleCreator<never>): Rule {
  const report: { current: Report } = { current: () => {} }
  const handler = creator.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({ message: "", messageId: String(messageId), data }),
      report: ({ message, range }) => report.current(message.messageId, range),
      ignore: () => {},
    },
    // Every option of every rule of the preset may be left out.
    {} as never,
  )
  return { id: creator.meta.id.replace(/^.*-rule-/, ""), handler, report }
}

/** The place of the secret in a reported text, without the name before it or the address around it. */
function secretIn(text: string, start: number, end: number): [start: number, end: number] {
  const found = text.slice(start, end)
  const inside = credentialsOfURL.exec(found)?.[1] ?? valueAtEnd.exec(found)?.[1]
  if (inside === undefined) return [start, end]
  const from = start + found.lastIndexOf(inside)
  return [from, from + inside.length]
}

/** A text that is in no file, as a source for secretlint. */
function sourceOf(content: string): SecretLintSourceCode {
  const nowhere = { line: 1, column: 0 }
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    ext: "",
    contentType: "text",
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  }
}
