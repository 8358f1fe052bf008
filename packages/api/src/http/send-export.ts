import type { ServerResponse } from "node:http"
import type { UseCases } from "@docket/core"
import { sendDocument } from "./send-document.ts"

const forms = {
  json: { type: "application/json; charset=utf-8", ending: "json" },
  markdown: { type: "text/markdown; charset=utf-8", ending: "md" },
} as const

/** Sends a tree as a file while it is read. */
export async function sendExport(
  transfer: Pick<UseCases["transfer"], "pieces">,
  res: ServerResponse,
  { id, format, sanitize }: { id: string; format: keyof typeof forms; sanitize: "0" | "1" },
  mayReadOn?: () => Promise<boolean>,
): Promise<void> {
  const pieces = await transfer.pieces({ sessionID: id, format, sanitize: sanitize === "1" })
  const { type, ending } = forms[format]
  await sendDocument(res, { type, fileName: `${id}.${ending}` }, pieces, mayReadOn)
}
