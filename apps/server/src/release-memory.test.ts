import { once } from "node:events"
import { expect, onTestFinished, test } from "vitest"
import { releaseMemoryWhenIdle } from "./release-memory.ts"

test("an idle process collects garbage once after heap growth", async () => {
  const collected = new EventTarget()
  let heap = 10
  let collections = 0
  const collect = () => {
    collections += 1
    heap = 12
    collected.dispatchEvent(new Event("done"))
  }
  let looks = 0
  const looked = new EventTarget()
  const heapTotal = () => {
    looks += 1
    looked.dispatchEvent(new Event("look"))
    return heap
  }
  onTestFinished(releaseMemoryWhenIdle({ interval: 5, idleShare: 1, worthwhile: 20, collect, heapTotal }))
  heap = 100
  await once(collected, "done")
  for (let more = looks + 5; looks < more; ) await once(looked, "look")
  expect(collections).toBe(1)
})

test("an idle process collects the garbage of its start without further growth", async () => {
  const collected = new EventTarget()
  const collect = () => collected.dispatchEvent(new Event("done"))
  const done = once(collected, "done")
  onTestFinished(releaseMemoryWhenIdle({ interval: 5, idleShare: 1, worthwhile: 20, collect, heapTotal: () => 100 }))
  await done
})

test("a busy process collects garbage once after excessive heap growth", async () => {
  const collected = new EventTarget()
  let heap = 0
  const collect = () => {
    heap = 0
    collected.dispatchEvent(new Event("done"))
  }
  const heapTotal = () => {
    heap += 10
    return heap
  }
  const options = { interval: 5, idleShare: -1, worthwhile: 1, bearable: 35, collect, heapTotal }
  const done = once(collected, "done")
  onTestFinished(releaseMemoryWhenIdle(options))
  await done
})

test("a busy process collects no garbage after slight heap growth", async () => {
  let collections = 0
  const collect = () => {
    collections += 1
  }
  let heap = 0
  const stop = releaseMemoryWhenIdle({ interval: 5, idleShare: -1, worthwhile: 1, collect, heapTotal: () => heap++ })
  await new Promise((resolve) => setTimeout(resolve, 40))
  stop()
  expect(collections).toBe(0)
})
