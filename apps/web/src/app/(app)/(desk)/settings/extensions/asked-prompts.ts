import type { SignInPrompt } from "@docket/core/schema"

interface AskedPrompts {
  prompts: SignInPrompt[]
  inputs: Record<string, string>
}

/** What a way to sign in asks for, as far as it applies to what was answered before; a choice begins with its first option. */
export function askedPrompts(all: readonly SignInPrompt[], typed: Readonly<Record<string, string>>): AskedPrompts {
  const inputs: Record<string, string> = {}
  const prompts = all.filter(({ key, type, options, when }) => {
    if (when !== null && (inputs[when.key] === when.value) !== (when.op === "eq")) return false
    inputs[key] = typed[key] ?? (type === "select" ? (options[0]?.value ?? "") : "")
    return true
  })
  return { prompts, inputs }
}
