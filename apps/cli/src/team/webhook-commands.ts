import type { DocketClient } from "@docket/client"
import { type WebhookEvent, webhookEvents } from "@docket/core/schema"
import { type Command, Option } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  rotateSecret,
  setWebhookStatus,
  testWebhook,
} from "./webhooks.ts"

interface AddOptions extends ServiceOptions {
  name?: string
  event?: WebhookEvent[]
}

/** `docket team webhooks …`: external addresses that are notified of events. */
export function addWebhookCommands(unwritten: AbortSignal, team: Command): void {
  const webhooks = team.command("webhooks").description("tell addresses outside of what happens in the workspace")
  const say = (options: ServiceOptions, work: (api: DocketClient["webhook"]) => Promise<string | string[]>) =>
    finish(
      unwritten,
      withService(options, async ({ client }) => {
        for (const line of [await work(client.webhook)].flat()) process.stdout.write(`${line}\n`)
      }),
    )
  const add = (name: string, description: string) => addServiceOptions(webhooks.command(name)).description(description)
  add("list", "list webhooks, with how many deliveries wait and failed").action((options: ServiceOptions) =>
    say(options, listWebhooks),
  )
  add("add", "make a webhook, and print its secret once")
    .argument("<url>", "where it is told, as https://hooks.example.org/docket")
    .option("--name <text>", "what it is for; the host when left out")
    .addOption(new Option("--event <name...>", "what it hears of; everything when left out").choices(webhookEvents))
    .action((url: string, { name, event, ...options }: AddOptions) =>
      say(options, (api) => addWebhook(api, { url, name: name ?? hostOf(url), events: event ?? [...webhookEvents] })),
    )
  const addOfOne = (
    name: string,
    description: string,
    work: (api: DocketClient["webhook"], id: string) => Promise<string | string[]>,
  ) =>
    add(name, description)
      .argument("<id>", "as docket team webhooks list shows it")
      .action((id: string, options: ServiceOptions) => say(options, (api) => work(api, id)))
  addOfOne("pause", "tell a webhook nothing more", (api, id) => setWebhookStatus(api, id, "paused"))
  addOfOne("resume", "make one active again that was paused, or disabled because it failed", (api, id) =>
    setWebhookStatus(api, id, "active"),
  )
  addOfOne("test", "send a test delivery, which carries no event", testWebhook)
  addOfOne("secret", "make a new secret, and print it once; the one before signs too for a day", rotateSecret)
  addOfOne("remove", "remove a webhook with its deliveries", removeWebhook)
  add("deliveries", "list the newest deliveries with their answers; --again sends one again")
    .argument("[webhook]", "only those of one webhook")
    .option("--again <id>", "send the delivery with this id again")
    .action((id: string | undefined, options: ServiceOptions & { again?: string }) =>
      say(options, (api) => (options.again === undefined ? listDeliveries(api, id) : redeliver(api, options.again))),
    )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
