import { mount } from 'svelte';
import { connect } from './bridge/connection.ts';
import AppShell from './views/AppShell.svelte';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');
mount(AppShell, { target, props: { connection: connect() } });
