import type { SignInPrompt } from "@docket/core/schema"
import { expect, test } from "vitest"
import { askedPrompts } from "./asked-prompts.ts"

const option = (value: string) => ({ value, label: value, hint: null })
const where: SignInPrompt = {
  ...{ type: "select", key: "where", message: "Where", placeholder: null, when: null },
  options: [option("here"), option("there")],
}
const address = (op: "eq" | "neq"): SignInPrompt => ({
  ...{ type: "text", key: "address", message: "Address", placeholder: null, options: [] },
  when: { key: "where", op, value: "there" },
})

test("a prompt is asked only where the answer before says so", () => {
  const prompts = [where, address("eq")]
  expect(askedPrompts(prompts, { address: "x" })).toMatchObject({ prompts: [where], inputs: { where: "here" } })
  const there = askedPrompts(prompts, { where: "there", address: "x" })
  expect(there).toEqual({ prompts, inputs: { where: "there", address: "x" } })
})

test("a prompt may be asked unless something was answered", () => {
  const prompts = [where, address("neq")]
  expect(askedPrompts(prompts, { where: "there" }).inputs).toEqual({ where: "there" })
  expect(askedPrompts(prompts, {}).inputs).toEqual({ where: "here", address: "" })
})
