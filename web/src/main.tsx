import { render } from "preact";
import { start } from "./actions";
import { App } from "./app";
import { watchAddress } from "./follow-link";
import { hearKeys } from "./shell/keys";
import { takeScheme } from "./shell/scheme";
import { takeSizes } from "./shell/splitter";

takeScheme();
takeSizes();
render(<App />, document.getElementById("page")!);
watchAddress(() => void start());
hearKeys();
void start();
