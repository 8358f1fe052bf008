import { maxImportBytes } from "@docket/core/import-limit"

/** Why a file is not sent at all; null when it can be sent. */
export function fileProblem({ size }: Pick<File, "size">): string | null {
  if (size === 0) return "The file is empty."
  if (size > maxImportBytes) return `The file is larger than ${maxImportBytes / 1024 / 1024} MiB.`
  return null
}
