import { render } from 'preact';
import { takeOffered } from './data/token.ts';
import { Gate } from './shell/gate.tsx';
import { applyTheme, themeAtFirst } from './shell/theme.ts';

applyTheme(themeAtFirst());
// Before anything else reads the address: a token must not stay in it.
const offered = takeOffered();
render(<Gate offered={offered} />, document.getElementById('page') as HTMLElement);
