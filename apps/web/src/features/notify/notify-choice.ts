const key = "docket-notify"

/** Whether this browser tells of news: the person chose it, and the browser lets it. */
export function notifies(): boolean {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(key) === "on"
}

/** Keeps the choice. Asks the browser's own question where it has not been answered; false when it says no. */
export async function chooseToNotify(on: boolean): Promise<boolean> {
  if (!on) {
    localStorage.setItem(key, "off")
    return false
  }
  if (!("Notification" in window) || (await Notification.requestPermission()) !== "granted") return false
  localStorage.setItem(key, "on")
  return true
}
