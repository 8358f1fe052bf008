import type { Rest } from "@docket/core/operations"
import type { z } from "zod"
import { componentName } from "./component-names.ts"
import { capitalized } from "./wire-name.ts"
import { wireSchema } from "./wire-schema.ts"
import { fromWire, toWire } from "./wire-value.ts"

type AnyRest = Rest<unknown, unknown>

/** The route of an operation as it is served: what is sent and answered is in the words of `/v1`. */
export function inWireWords(rest: AnyRest): AnyRest {
  const { body, answer, operationID, read, write, withoutAgents } = rest
  const answered = (output: unknown) => toWire(answer.schema, output)
  return {
    ...rest,
    ...(body !== undefined && { body: wireSchema(body, "body") }),
    answer: { ...answer, schema: answerSchema(answer.schema, operationID) },
    read: (request) => read(body === undefined ? request : { ...request, body: fromWire(body, request.body) }),
    write: (output, request) => answered(write === undefined ? output : write(output, request)),
    ...(withoutAgents !== undefined && {
      withoutAgents(request) {
        const output = withoutAgents(request)
        return output === undefined ? undefined : answered(output)
      },
    }),
  }
}

/** What is answered is a component, because generators name their types by it. */
function answerSchema(schema: z.ZodType, operationID: string): z.ZodType {
  const wire = wireSchema(schema, "answer")
  if (componentName(schema) !== undefined) return wire
  return wire.openapi(`${capitalized(operationID)}Answer`)
}
