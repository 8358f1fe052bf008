import { DocketError } from "../../ground/error/docket-error.ts"

export function webhookMissing(id: string): DocketError {
  return new DocketError("webhook_not_found", `There is no webhook ${id}.`)
}

export function deliveryMissing(id: string): DocketError {
  return new DocketError("delivery_not_found", `There is no delivery ${id}.`)
}
