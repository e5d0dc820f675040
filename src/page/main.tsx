import { render } from 'preact';
import { takeOfferedToken } from './data/token.ts';
import { Gate } from './shell/gate.tsx';

// First of all: a token must not stay in the address.
const offered = takeOfferedToken();
render(<Gate offered={offered} />, document.getElementById('page') as HTMLElement);
