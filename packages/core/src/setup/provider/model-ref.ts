import { DocketError } from "../../ground/error/docket-error.ts"
import type { ModelRef } from "../../ground/schema/index.ts"

/** Reads `provider/model`; the model's own name may hold slashes. @throws invalid_input */
export function parseModelRef(text: string): ModelRef {
  const slash = text.indexOf("/")
  const providerID = text.slice(0, slash)
  const modelID = text.slice(slash + 1)
  if (slash < 1 || modelID === "") {
    throw new DocketError("invalid_input", `"${text}" is not a model; write it as provider/model.`)
  }
  return { providerID, modelID }
}

/** `provider/model`, as config and command line take it. */
export function formatModelRef(ref: ModelRef): string {
  return `${ref.providerID}/${ref.modelID}`
}
