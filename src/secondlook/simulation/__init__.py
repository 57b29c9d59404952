"""Simulation: random DAGs, linear models on them, and exact Wishart covariances; it knows no search."""

from secondlook.simulation.dags import erdos_renyi_dag as erdos_renyi_dag
from secondlook.simulation.dags import random_dag as random_dag
from secondlook.simulation.dags import scale_free_dag as scale_free_dag
from secondlook.simulation.linear import LinearModel as LinearModel
from secondlook.simulation.linear import random_linear_model as random_linear_model
from secondlook.simulation.networks import DiscreteNetwork as DiscreteNetwork
from secondlook.simulation.networks import read_bif as read_bif
from secondlook.simulation.networks import read_gaussian_network as read_gaussian_network
from secondlook.simulation.simulate import Recipe as Recipe
from secondlook.simulation.simulate import Simulation as Simulation
from secondlook.simulation.simulate import simulate as simulate
from secondlook.simulation.wishart import wishart_covariance as wishart_covariance
from secondlook.simulation.wishart import wishart_folds as wishart_folds
from secondlook.tables.moments import FoldMoments as FoldMoments
from secondlook.tables.moments import Moments as Moments
