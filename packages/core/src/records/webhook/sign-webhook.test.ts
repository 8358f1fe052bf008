import { Webhook } from "standardwebhooks"
import { expect, test } from "vitest"
import { newWebhookSecret, signWebhook } from "./sign-webhook.ts"

test("signs as the example of Standard Webhooks does", () => {
  const body = '{"test": 2432232314}'
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  const signed = signWebhook({ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_123, body }, [secret])
  expect(signed).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  })
})

test("an independent verifier accepts either of two secrets and refuses changed bodies", () => {
  const [old, next, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const body = '{"type":"webhook.test"}'
  const headers = signWebhook({ id: "whd_1", at: Date.now(), body }, [next, old])
  for (const secret of [old, next]) expect(new Webhook(secret).verify(body, headers)).toEqual({ type: "webhook.test" })
  expect(() => new Webhook(other).verify(body, headers)).toThrow("No matching signature")
  expect(() => new Webhook(next).verify(body.replace("test", "tost"), headers)).toThrow("No matching signature")
  const late = signWebhook({ id: "whd_1", at: Date.now() - 600_000, body }, [next])
  expect(() => new Webhook(next).verify(body, late)).toThrow("timestamp too old")
})
