"""Networks with known parameters: discrete ones from BIF files, Gaussian ones from JSON."""

from secondlook.simulation.networks.bif import read_bif as read_bif
from secondlook.simulation.networks.discrete import DiscreteNetwork as DiscreteNetwork
from secondlook.simulation.networks.gaussian import read_gaussian_network as read_gaussian_network
