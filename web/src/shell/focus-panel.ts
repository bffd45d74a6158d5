// Who comes to a panel by a key or a button goes on there by keys: the part of the panel that hears them gets the focus, as
// soon as it is there.
const kPatience = 5_000; // ms; a trace has to be followed first
const kLook = 30;

export function focusPanel(): void {
  const before = document.activeElement;
  const until = performance.now() + kPatience;
  const look = () => {
    const panel = document.getElementById("panel");
    const moved = document.activeElement !== before && document.activeElement !== panel && document.activeElement !== document.body;
    if (moved || panel === null) return; // the person has gone elsewhere
    const part = panel.querySelector<HTMLElement>("[data-keys]");
    (part ?? panel).focus({ preventScroll: true });
    if (part === null && performance.now() < until) setTimeout(look, kLook);
  };
  requestAnimationFrame(look);
}
