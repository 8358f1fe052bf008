import { createScanner, redactText } from "../../ground/redact/index.ts"
import type { ScannerSources } from "../../ground/redact/scanner.ts"

/** The title without what looks secret, or is known to be. */
export function redactTitle(sources: Omit<ScannerSources, "key">, title: string): string {
  return redactText(title, createScanner({ ...sources, key: "" }).find(title))
}
