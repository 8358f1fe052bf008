import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"

type Check = ReturnType<AjvJsonSchemaValidator["getValidator"]>

const validator = new AjvJsonSchemaValidator()
const compiled = new WeakMap<object, Check | null>()

/** What is wrong with arguments, a line each; nothing where the schema cannot be used, for the server checks them too. */
export function checkArguments(schema: Record<string, unknown>, args: Record<string, unknown>): string[] {
  const check = checkOf(schema)
  if (check === null) return []
  const { valid, errorMessage = "" } = check(args)
  return valid ? [] : errorMessage.split(", ").map((problem) => `- ${problem}`)
}

function checkOf(schema: Record<string, unknown>): Check | null {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  let check: Check | null = null
  try {
    check = validator.getValidator(schema)
  } catch {
    // A pattern or a dialect that the validator does not know.
  }
  compiled.set(schema, check)
  return check
}
